//! The market of a policy's quasi-identifiers: entropies from counts, points and rations from the policy.

use equanym_core::balance::{Market, Offer};
use equanym_core::entropy;
use equanym_core::hierarchy::Hierarchy;

use super::refused;
use crate::error::Result;
use crate::policy::{Preferences, VariablePolicy};

/// The market of these variables, each with its ladder and the records with each value.
pub(super) fn of<'a>(
    preferences: &Preferences,
    variables: impl Iterator<Item = (&'a VariablePolicy, &'a Hierarchy, &'a [u64])>,
) -> Result<Market> {
    let offer = |(policy, ladder, counts): (&VariablePolicy, &Hierarchy, &[u64])| {
        let (min_level, max_level) = policy.level_bounds(ladder.height())?;
        let entropies =
            entropy::codings(ladder, counts).into_iter().map(|coding| preferences.unit.per_bit() * coding.entropy());
        Ok(Offer {
            min_level: min_level.into(),
            max_level: max_level.into(),
            ration: preferences.ration.get(&policy.name).copied().unwrap_or_default(),
            ..Offer::new(policy.name.clone(), entropies.collect(), policy.points.unwrap_or_default())
        })
    };
    let offers = variables.map(offer).collect::<Result<Vec<_>>>()?;
    Market::new(preferences.alpha, preferences.beta, offers).map_err(|error| refused(&error))
}
