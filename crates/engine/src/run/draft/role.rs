//! Which role a column has, as far as its name and its values tell.
//!
//! Doubt goes to the safe side: what may name a person is left out, what others may know is generalised, and nothing
//! is called insensitive but a column in which all records are alike. A release needs something to generalise, so when
//! no column is left for that, the least telling one is taken.

use equanym_core::hierarchy::Builder;
use equanym_core::variable::Role;

use super::ladder::ColumnLadder;
use super::profile::Profile;
use super::values::ColumnKind;
use crate::read::column_name::{Hints, Person, hints};

/// The role of a column, and why.
#[derive(Debug, Clone)]
pub(super) struct RoleDecision {
    pub(super) role: Role,
    pub(super) reason: &'static str,
    pub(super) ladder: ColumnLadder,
    /// Whether the name alone suggests that others know it.
    pub(super) is_named: bool,
    /// Whether it is held at the top, so that the search stays short.
    pub(super) held: bool,
    /// The level to which it is bound, below its top, because the table can bear it.
    pub(super) highest: Option<u8>,
}

/// With fewer records than this, each may well have its own illness.
const FEW: u64 = 50;

/// The roles of all columns.
pub(super) fn decide(names: &[String], profiles: &[Profile]) -> Vec<RoleDecision> {
    let each = |(name, profile): (&String, &Profile)| {
        let hints = hints(name);
        let (role, reason) = alone(hints, profile);
        RoleDecision { role, reason, ladder: profile.ladder.clone(), is_named: hints.quasi, held: false, highest: None }
    };
    let mut decisions: Vec<RoleDecision> = names.iter().zip(profiles).map(each).collect();
    if decisions.iter().all(|decision| decision.role != Role::QuasiIdentifying) {
        promote(names, profiles, &mut decisions);
    }
    decisions
}

/// The role of a column when nothing is known of the others.
fn alone(hints: Hints, profile: &Profile) -> (Role, &'static str) {
    if hints.person == Person::Yes {
        return (Role::Identifying, "columns of this name lead to a person");
    }
    if profile.is_constant() {
        return constant(hints);
    }
    if profile.capped {
        return (Role::Identifying, "it has more distinct values than can be counted and generalised");
    }
    if profile.is_prose && !is_repeated(profile) {
        return (Role::Identifying, "free text may say who somebody is in any sentence: it is not released");
    }
    if hints.remark && profile.kind == ColumnKind::Text && !is_repeated(profile) {
        return (Role::Identifying, "columns of this name hold free text, which may name anybody: it is not released");
    }
    if let Some(decision) = by_name(hints, profile) {
        return decision;
    }
    by_values(profile)
}

fn constant(hints: Hints) -> (Role, &'static str) {
    if hints.sensitive {
        return (Role::Sensitive, "columns of this name hold what nobody may learn, and all records share one value");
    }
    (Role::Insensitive, "all records share one value")
}

/// Whether few values are used again and again.
fn is_repeated(profile: &Profile) -> bool {
    profile.distinct <= 20 && profile.distinct.saturating_mul(5) <= profile.records
}

fn by_name(hints: Hints, profile: &Profile) -> Option<(Role, &'static str)> {
    let is_own_text = profile.kind == ColumnKind::Text && profile.is_near_unique();
    let is_date_of = profile.kind == ColumnKind::Date && hints.quasi;
    let has_many = profile.distinct > 20 || profile.distinct.saturating_mul(2) > profile.records;
    if hints.sensitive && !is_date_of {
        return Some(if is_own_text && profile.records >= FEW {
            (Role::Identifying, "nearly every record has its own text")
        } else {
            (Role::Sensitive, "columns of this name hold what nobody may learn about a person")
        });
    }
    if hints.quasi && !is_own_text && !profile.is_beyond_joining() {
        return Some((Role::QuasiIdentifying, "columns of this name hold what others may know about a person"));
    }
    (hints.person == Person::Perhaps && has_many).then_some((
        Role::Identifying,
        "columns of this name may lead to a person, and this one has many distinct values",
    ))
}

fn by_values(profile: &Profile) -> (Role, &'static str) {
    if profile.is_serial {
        return (Role::Identifying, "it numbers the records");
    }
    let tells_apart = matches!(profile.kind, ColumnKind::Text | ColumnKind::Code) && profile.is_near_unique();
    if profile.ladder.file.is_some() {
        return (Role::QuasiIdentifying, "there is a ladder for it beside the data");
    }
    if tells_apart || profile.is_beyond_joining() {
        return (Role::Identifying, "nearly every record has its own value");
    }
    (Role::QuasiIdentifying, "nothing says that others could not know it: the safe choice")
}

/// Makes the least telling column quasi-identifying.
fn promote(names: &[String], profiles: &[Profile], decisions: &mut [RoleDecision]) {
    let telling = |place: &usize| {
        let leads_to_person = names.get(*place).is_some_and(|name| hints(name).person == Person::Yes);
        let role = decisions.get(*place).map_or(Role::Identifying, |decision| decision.role);
        let order = match role {
            Role::Insensitive | Role::QuasiIdentifying => 0,
            Role::Sensitive => 1,
            Role::Identifying | Role::Pseudonym => 2,
        };
        profiles.get(*place).map(|profile| (profile.capped, order, leads_to_person, profile.distinct))
    };
    let chosen = (0..decisions.len()).min_by_key(telling);
    let Some((decision, profile)) = chosen.and_then(|place| decisions.get_mut(place).zip(profiles.get(place))) else {
        return;
    };
    decision.role = Role::QuasiIdentifying;
    decision.reason = "no other column is left to generalise, and a release needs one; it may well end as `*`";
    if profile.is_beyond_joining() {
        decision.ladder = ColumnLadder::new(Builder::Prefix { keep: vec![1] }, 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(records: u64, distinct: u64, kind: ColumnKind) -> Profile {
        let ladder = match kind {
            ColumnKind::Text => Builder::None,
            ColumnKind::Date => Builder::Date { grains: vec![], format: equanym_core::hierarchy::DateFormat::Iso },
            ColumnKind::Code => Builder::Prefix { keep: vec![2] },
            ColumnKind::Number => Builder::intervals(vec!["5".into()]),
        };
        let (ladder, counts) = (ColumnLadder::new(ladder, 2), Vec::new());
        let (missing, missing_words, capped, is_prose, is_serial) = (0, 0, false, false, false);
        Profile { records, missing, distinct, capped, kind, ladder, is_prose, is_serial, missing_words, counts }
    }

    fn role(name: &str, profile: &Profile) -> Role {
        alone(hints(name), profile).0
    }

    #[test]
    fn names_and_values_decide_together() {
        let check = |name, records, distinct, kind, expected| {
            assert_eq!(role(name, &profile(records, distinct, kind)), expected, "{name} {records} {distinct} {kind:?}");
        };
        check("name", 100, 3, ColumnKind::Text, Role::Identifying);
        check("ward_name", 100, 7, ColumnKind::Text, Role::QuasiIdentifying);
        check("invoice id", 100, 60, ColumnKind::Code, Role::Identifying);
        check("blood", 100, 4, ColumnKind::Text, Role::QuasiIdentifying);
        check("blood", 100, 100, ColumnKind::Text, Role::Identifying);
        check("blood", 100, 1, ColumnKind::Text, Role::Insensitive);
        check("pressure", 100, 100, ColumnKind::Number, Role::QuasiIdentifying);
        check("seen", 100, 100, ColumnKind::Date, Role::QuasiIdentifying);
        check("zip", 100, 100, ColumnKind::Code, Role::QuasiIdentifying);
        check("batch", 100, 100, ColumnKind::Code, Role::Identifying);
        check("diagnosis", 100, 40, ColumnKind::Code, Role::Sensitive);
        check("diagnosis", 100, 99, ColumnKind::Text, Role::Identifying);
        check("diagnosis", 8, 8, ColumnKind::Text, Role::Sensitive);
        check("diagnosis date", 100, 40, ColumnKind::Date, Role::QuasiIdentifying);
        check("hiv", 100, 1, ColumnKind::Text, Role::Sensitive);
        check("Hauptdiagnose", 100, 40, ColumnKind::Code, Role::Sensitive);
        check("Diagnosedatum", 100, 40, ColumnKind::Date, Role::QuasiIdentifying);
        check("Versichertennr", 100, 40, ColumnKind::Code, Role::Identifying);
        check("Zimmernummer", 100, 90, ColumnKind::Number, Role::Identifying);
        check("Aufnahmedatum", 100, 90, ColumnKind::Date, Role::QuasiIdentifying);
        check("occupation", 6, 6, ColumnKind::Text, Role::Identifying);
    }

    #[test]
    fn prose_is_left_out_unless_it_is_a_choice() {
        let prose = |distinct| Profile { is_prose: true, ..profile(100, distinct, ColumnKind::Text) };
        assert_eq!(role("remark", &prose(60)), Role::Identifying);
        assert_eq!(role("answer", &prose(5)), Role::QuasiIdentifying);
        // Short texts in a column for remarks are no less free; few that come again and again are a choice.
        assert_eq!(role("Bemerkung", &profile(100, 30, ColumnKind::Text)), Role::Identifying);
        assert_eq!(role("Befund", &profile(100, 30, ColumnKind::Text)), Role::Identifying);
        assert_eq!(role("Bemerkung", &profile(100, 3, ColumnKind::Text)), Role::QuasiIdentifying);
        assert_eq!(role("Befund", &profile(100, 3, ColumnKind::Text)), Role::Sensitive);
    }

    #[test]
    fn a_release_has_something_to_generalise() {
        let names = ["name", "code", "hiv", "unit"].map(String::from);
        let profiles = [
            profile(50, 50, ColumnKind::Text),
            profile(50, 50, ColumnKind::Text),
            profile(50, 2, ColumnKind::Text),
            profile(50, 1, ColumnKind::Text),
        ];
        let chosen = |count: usize| {
            let decisions = decide(&names[..count], &profiles[..count]);
            let quasi = decisions.iter().position(|decision| decision.role == Role::QuasiIdentifying);
            quasi.map(|place| (names[place].as_str(), decisions[place].ladder.builder.clone()))
        };
        assert_eq!(chosen(4), Some(("unit", Builder::None)));
        assert_eq!(chosen(3), Some(("hiv", Builder::None)));
        assert_eq!(chosen(2), Some(("code", Builder::Prefix { keep: vec![1] })));
        assert_eq!(chosen(1), Some(("name", Builder::Prefix { keep: vec![1] })));
    }
}
