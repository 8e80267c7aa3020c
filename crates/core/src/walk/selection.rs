//! Which localities are kept, where not all of them are: a small family.
//!
//! The share that is kept is `theta`; a selection says which. [`Selection::Random`] is the published one: every locality of
//! the list is as likely as any other. Near things matter more to most users, so the others look at the reach of a locality:
//! how many ranks lie between its outer values. [`Selection::Nearest`] takes the shortest reaches first, and
//! [`Selection::Weighted`] draws by the weight 1 / reach, so that far comparisons are rarer but do occur. All draws come
//! from the seed.
//!
//! Limit: given the order, a short reach bounds what lies between near values and leaves far ones free, so the overall shape
//! of a segment follows less closely than under the same number of random localities.
//!
//! Source: Xue et al. 2011 name sampling and leave others open; for the weighted draw without replacement Efraimidis &
//! Spirakis 2006. Spec: `specs/pattern/selection.md`.

use serde::{Deserialize, Serialize};

use super::locality::Locality;
use crate::random::Stream;

/// Which localities are kept, where not all of them are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// A random share, as published.
    #[default]
    Random,
    /// Those that compare near values first; the last ones by lot.
    Nearest,
    /// Drawn by a weight that falls with their reach.
    Weighted,
}

/// The words of policies.
pub const SELECTIONS: &[&str] = &["random", "nearest", "weighted"];

impl Selection {
    /// The selection of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        match name {
            "random" => Some(Self::Random),
            "nearest" => Some(Self::Nearest),
            "weighted" => Some(Self::Weighted),
            _ => None,
        }
    }

    /// Keeps a share of a list, in the order in which it was.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of a length
    pub(super) fn keep(self, list: &mut Vec<Locality>, share: f64, stream: &mut Stream) {
        let wanted = (share * list.len() as f64).round() as usize;
        match self {
            Self::Random => keep_any(list, wanted, stream),
            // A lot between 0 and 1 decides among equal reaches.
            Self::Nearest => keep_least(list, wanted, |one| reach(one) + stream.unit()),
            Self::Weighted => keep_least(list, wanted, |one| -libm::log(stream.open_unit()) * reach(one)),
        }
    }
}

/// How many ranks the outer values of a locality are apart.
fn reach(locality: Locality) -> f64 {
    f64::from(locality.right - locality.left)
}

fn keep_any(list: &mut Vec<Locality>, mut wanted: usize, stream: &mut Stream) {
    let mut left = list.len();
    list.retain(|_| {
        let taken = stream.below(left) < wanted;
        wanted -= usize::from(taken);
        left -= 1;
        taken
    });
}

/// Keeps those with the least numbers.
fn keep_least(list: &mut Vec<Locality>, wanted: usize, number: impl FnMut(Locality) -> f64) {
    let numbers: Vec<f64> = list.iter().copied().map(number).collect();
    let mut places: Vec<usize> = (0..list.len()).collect();
    places.sort_by(|one, other| numbers[*one].total_cmp(&numbers[*other]));
    places.truncate(wanted);
    places.sort_unstable();
    *list = places.into_iter().map(|place| list[place]).collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use crate::walk::locality::neighbours;

    fn kept(selection: Selection, share: f64, seed: u64) -> Vec<Locality> {
        let values: Vec<i128> = (0..30).map(|value| value * value * 7 + value).collect();
        let mut list = neighbours(&values);
        selection.keep(&mut list, share, &mut Seed::from(seed).stream(0));
        list
    }

    fn mean_reach(list: &[Locality]) -> f64 {
        list.iter().copied().map(reach).sum::<f64>() / list.len() as f64
    }

    #[test]
    fn names_are_those_of_the_policy() {
        let found = SELECTIONS.iter().map(|name| Selection::find(name)).collect::<Option<Vec<_>>>();
        assert_eq!(found, Some(vec![Selection::Random, Selection::Nearest, Selection::Weighted]));
        assert_eq!(Selection::find("far"), None);
    }

    #[test]
    fn each_keeps_the_share_and_the_order_of_the_list() {
        let all = kept(Selection::Random, 1.0, 1);
        for selection in [Selection::Random, Selection::Nearest, Selection::Weighted] {
            for (share, wanted) in [(0.0, 0), (0.5, all.len().div_ceil(2)), (1.0, all.len())] {
                let list = kept(selection, share, 1);
                let places: Vec<_> = list.iter().map(|one| all.iter().position(|other| other == one)).collect();
                assert!(list.len() == wanted && places.is_sorted() && !places.contains(&None), "{selection:?} {share}");
            }
            assert_eq!(kept(selection, 0.3, 5), kept(selection, 0.3, 5));
            assert_ne!(kept(selection, 0.3, 5), kept(selection, 0.3, 6), "{selection:?}");
        }
    }

    #[test]
    fn near_ones_come_first() {
        let nearest = kept(Selection::Nearest, 0.3, 2);
        let longest = nearest.iter().copied().map(reach).fold(0.0, f64::max);
        let left_out = kept(Selection::Nearest, 1.0, 2).into_iter().filter(|one| !nearest.contains(one));
        assert!(left_out.map(reach).fold(f64::INFINITY, f64::min) >= longest);
        let means =
            [Selection::Nearest, Selection::Weighted, Selection::Random].map(|one| mean_reach(&kept(one, 0.3, 2)));
        assert!(means.is_sorted(), "{means:?}");
    }
}
