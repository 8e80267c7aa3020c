//! Groups that somebody wrote.
//!
//! Level `i` gives a label to each of its members: labels of the level below, or values as collected. What is in no group stays
//! as it is, so a policy names only what it joins. The missing value may be a member. A member may also be a [`Range`] of
//! numbers or codes. A value that is named itself belongs where it is named, whatever ranges hold it.

use hashbrown::{HashMap, HashSet};

pub use super::range::Range;
use super::{Hierarchy, HierarchyError, cycle};

/// The groups of one level: each label with its members.
pub type GroupLevel = Vec<(String, Vec<String>)>;

/// The ladder of these groups over the members and the values of the column.
pub(super) fn fit(values: &[String], levels: &[GroupLevel]) -> Result<Hierarchy, HierarchyError> {
    if levels.is_empty() {
        return unfit("at least one level of groups is needed");
    }
    let parents: Vec<ParentLabels<'_>> =
        (1..).zip(levels).map(|(number, groups)| ParentLabels::new(number, groups)).collect::<Result<_, _>>()?;
    let domain = domain(values, levels);
    let mut above: Vec<Vec<&str>> = Vec::new();
    for parents in &parents {
        let below = above.last().unwrap_or(&domain);
        let labels = domain.iter().zip(below.iter().copied()).map(|(value, below)| parents.join(value, below));
        above.push(labels.collect::<Result<_, _>>()?);
    }
    let ladder = Hierarchy::listed(&domain, &above)?;
    if cycle::find(&ladder).is_some() { unfit("labels generalise into one another") } else { Ok(ladder) }
}

/// The labels that a level gives.
struct ParentLabels<'a> {
    number: usize,
    /// Of members that are named.
    named: HashMap<&'a str, &'a str>,
    /// Of members in a range.
    ranges: Vec<(Range, &'a str)>,
}

impl<'a> ParentLabels<'a> {
    fn new(number: usize, groups: &'a GroupLevel) -> Result<Self, HierarchyError> {
        let mut parents = Self { number, named: HashMap::new(), ranges: Vec::new() };
        for (label, members) in groups {
            if label.is_empty() {
                return unfit(format!("level {number} has a group without a label"));
            }
            for member in members {
                match Range::parse(member) {
                    Some(range) => parents.add_range(range, label)?,
                    None if *parents.named.entry(member).or_insert(label) != label => return parents.in_two_groups(),
                    None => {}
                }
            }
        }
        if parents.named.is_empty() && parents.ranges.is_empty() {
            return unfit(format!("level {number} joins nothing"));
        }
        Ok(parents)
    }

    fn add_range(&mut self, range: Range, label: &'a str) -> Result<(), HierarchyError> {
        if range.is_empty() {
            return unfit(format!("level {} has a range that ends before it starts", self.number));
        }
        if self.ranges.iter().any(|(other, of)| *of != label && other.meets(&range)) {
            return unfit(format!("level {} has ranges of two groups that overlap", self.number));
        }
        self.ranges.push((range, label));
        Ok(())
    }

    /// The label below decides; a group of raw values counts only where that label is in no group.
    fn join(&self, value: &str, below: &'a str) -> Result<&'a str, HierarchyError> {
        let label = match self.label(below)? {
            Some(label) => Some(label),
            None => self.label(value)?,
        };
        Ok(label.unwrap_or(below))
    }

    fn label(&self, member: &str) -> Result<Option<&'a str>, HierarchyError> {
        if let Some(label) = self.named.get(member) {
            return Ok(Some(label));
        }
        let mut found = self.ranges.iter().filter(|(range, _)| range.holds(member)).map(|(_, label)| *label);
        let first = found.next();
        if found.any(|other| Some(other) != first) { self.in_two_groups() } else { Ok(first) }
    }

    fn in_two_groups<T>(&self) -> Result<T, HierarchyError> {
        unfit(format!("level {} has a value that is in two groups", self.number))
    }
}

/// All members that are no labels of a lower level, then the other values of the column.
fn domain<'a>(values: &'a [String], levels: &'a [GroupLevel]) -> Vec<&'a str> {
    let is_missing_here = values.iter().any(String::is_empty);
    let mut labels: HashSet<&str> = HashSet::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut domain = Vec::new();
    let mut add = |value: &'a str| {
        if (is_missing_here || !value.is_empty()) && seen.insert(value) {
            domain.push(value);
        }
    };
    for groups in levels {
        let members = groups.iter().flat_map(|(_, members)| members);
        let is_value = |member: &&String| !labels.contains(member.as_str()) && Range::parse(member).is_none();
        members.filter(is_value).for_each(|member| add(member));
        labels.extend(groups.iter().map(|(label, _)| label.as_str()));
    }
    for value in values {
        add(value);
    }
    domain
}

fn unfit<T>(problem: impl Into<String>) -> Result<T, HierarchyError> {
    Err(HierarchyError::unfit("groups", problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(groups: &[(&str, &[&str])]) -> GroupLevel {
        let text = |value: &&str| String::from(*value);
        groups.iter().map(|(label, members)| (text(label), members.iter().map(text).collect())).collect()
    }

    fn check(values: &[&str], levels: &[GroupLevel], expected: &str) {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        assert_eq!(fit(&values, levels).unwrap().to_csv(), expected);
    }

    #[test]
    fn values_in_no_group_stay() {
        let been = level(&[("Been married", &["Married", "Widowed"])]);
        let expected = "Married;Been married;*\nWidowed;Been married;*\n;;*\nSingle;Single;*\n";
        check(&["", "Married", "Single"], &[been], expected);
    }

    #[test]
    fn levels_join_labels_or_values() {
        let first = level(&[("x", &["a", "b"])]);
        let second = level(&[("y", &["x", "c"])]);
        check(&["d"], &[first, second], "a;x;y;*\nb;x;y;*\nc;c;y;*\nd;d;d;*\n");
    }

    #[test]
    fn a_label_may_be_a_value() {
        check(&["a", "b", "c"], &[level(&[("a", &["b"])])], "b;a;*\na;a;*\nc;c;*\n");
    }

    #[test]
    fn missing_may_be_a_member() {
        let unknown = [level(&[("Unknown", &["", "n/a"])])];
        check(&["", "a"], &unknown, ";Unknown;*\nn/a;Unknown;*\na;a;*\n");
        check(&["a"], &unknown, "n/a;Unknown;*\na;a;*\n");
    }

    #[test]
    fn ranges_hold_numbers_and_codes() {
        let ages = level(&[("young", &["0..17"]), ("grown", &["18..64"]), ("retired", &["65..", "63"])]);
        let expected = "63;retired;*\n;;*\n17.5;17.5;*\n5;young;*\n64;grown;*\n70;retired;*\n";
        check(&["", "17.5", "5", "63", "64", "70"], &[ages], expected);
        let codes = level(&[("heart", &["I30..I52"]), ("lung", &["J00..J99"])]);
        check(&["I50.1", "J18", "K01"], &[codes], "I50.1;heart;*\nJ18;lung;*\nK01;K01;*\n");
    }

    #[test]
    fn one_group_of_all_is_the_top() {
        check(&["a", "b"], &[level(&[("all", &["a", "b"])])], "a;all\nb;all\n");
    }

    #[test]
    fn a_group_of_values_may_split_a_label() {
        let levels = [level(&[("x", &["a", "b"])]), level(&[("y", &["a"]), ("z", &["b"])])];
        assert_eq!(fit(&["c".into()], &levels).unwrap().first_unnested(), Some(2));
    }

    #[test]
    fn unfit_groups_are_refused() {
        let check = |levels: &[GroupLevel], expected: &str| {
            assert_eq!(fit(&[], levels).unwrap_err().to_string(), format!("groups: {expected}"));
        };
        check(&[], "at least one level of groups is needed");
        check(&[level(&[("x", &["a"])]), level(&[])], "level 2 joins nothing");
        check(&[level(&[("", &["a"])])], "level 1 has a group without a label");
        check(&[level(&[("x", &["a"]), ("y", &["a"])])], "level 1 has a value that is in two groups");
        check(&[level(&[("x", &["0..5"]), ("y", &["5..9"])])], "level 1 has ranges of two groups that overlap");
        check(&[level(&[("x", &["9..5"])])], "level 1 has a range that ends before it starts");
        let mixed = [level(&[("x", &["0..5"]), ("y", &["0..A"])])];
        let error = fit(&["3".into()], &mixed).unwrap_err();
        assert_eq!(error.to_string(), "groups: level 1 has a value that is in two groups");
        check(&[level(&[("a", &["b"]), ("b", &["a"])])], "labels generalise into one another");
        check(&[level(&[("b", &["a"])]), level(&[("a", &["b"])])], "labels generalise into one another");
    }
}
