//! Groups that somebody wrote.
//!
//! Level `i` gives a label to each of its members: labels of the level below, or values as collected. What is in no
//! group stays as it is, so a policy needs to name only what it joins. The missing value may be a member like others.

use hashbrown::{HashMap, HashSet};

use super::{Hierarchy, HierarchyError, cycle};

/// The groups of one level: each label with its members.
pub type GroupLevel = Vec<(String, Vec<String>)>;

/// The ladder of these groups over the members and the values of the column.
pub(super) fn fit(values: &[String], levels: &[GroupLevel]) -> Result<Hierarchy, HierarchyError> {
    if levels.is_empty() {
        return unfit("at least one level of groups is needed");
    }
    let parents: Vec<HashMap<&str, &str>> =
        (1..).zip(levels).map(|(number, groups)| parents(number, groups)).collect::<Result<_, _>>()?;
    let domain = domain(values, levels);
    let mut above: Vec<Vec<&str>> = Vec::new();
    for parents in &parents {
        let below = above.last().unwrap_or(&domain);
        let label = |(value, label): (&&'_ str, _)| join(parents, value, label);
        above.push(domain.iter().zip(below.iter().copied()).map(label).collect());
    }
    let ladder = Hierarchy::listed(&domain, &above)?;
    if cycle::find(&ladder).is_some() { unfit("labels generalise into one another") } else { Ok(ladder) }
}

/// The label below decides; a group of raw values counts only where that label is in no group.
fn join<'a>(parents: &HashMap<&str, &'a str>, value: &str, below: &'a str) -> &'a str {
    parents.get(below).or_else(|| parents.get(value)).copied().unwrap_or(below)
}

/// For each member its label.
fn parents(number: usize, groups: &GroupLevel) -> Result<HashMap<&str, &str>, HierarchyError> {
    let mut parents: HashMap<&str, &str> = HashMap::new();
    for (label, members) in groups {
        if label.is_empty() {
            return unfit(format!("level {number} has a group without a label"));
        }
        for member in members {
            if *parents.entry(member).or_insert(label) != label {
                return unfit(format!("level {number} has a value that is in two groups"));
            }
        }
    }
    if parents.is_empty() { unfit(format!("level {number} joins nothing")) } else { Ok(parents) }
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
        members.filter(|member| !labels.contains(member.as_str())).for_each(|member| add(member));
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
        check(&[level(&[("a", &["b"]), ("b", &["a"])])], "labels generalise into one another");
        check(&[level(&[("b", &["a"])]), level(&[("a", &["b"])])], "labels generalise into one another");
    }
}
