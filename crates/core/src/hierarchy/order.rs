//! Runs of neighbours in an ordered list.
//!
//! For words with an order, such as grades and stages: level `i` joins runs of `sizes[i]` neighbours and calls each
//! by its ends, `primary … secondary`. A run of one keeps its word. The list is the whole domain.

use hashbrown::HashMap;

use super::{Hierarchy, HierarchyError, MISSING};

/// The ladder of runs of these sizes.
pub(super) fn fit(values: &[String], ordered: &[String], sizes: &[usize]) -> Result<Hierarchy, HierarchyError> {
    check_sizes(sizes)?;
    let listed = check_values(ordered)?;
    super::all_listed(values, |value| listed.contains_key(value))?;
    let missing = values.iter().any(String::is_empty).then_some(MISSING);
    let domain: Vec<&str> = ordered.iter().map(String::as_str).chain(missing).collect();
    let runs: Vec<Vec<String>> = sizes.iter().map(|size| labels(ordered, *size)).collect();
    let above: Vec<Vec<&str>> =
        runs.iter().map(|labels| labels.iter().map(String::as_str).chain(missing).collect()).collect();
    Hierarchy::listed(&domain, &above)
}

/// For each value the name of its run.
fn labels(ordered: &[String], size: usize) -> Vec<String> {
    let runs = ordered.chunks(size.max(1));
    runs.flat_map(|run| std::iter::repeat_n(name(run), run.len())).collect()
}

fn name(run: &[String]) -> String {
    match run {
        [] => String::new(),
        [only] => only.clone(),
        [first, .., last] => format!("{first} … {last}"),
    }
}

fn check_sizes(sizes: &[usize]) -> Result<(), HierarchyError> {
    let unfit = |problem: &str| Err(HierarchyError::unfit("order", problem));
    match sizes.first() {
        None => unfit("at least one size is needed"),
        Some(0 | 1) => unfit("a run joins two values or more"),
        Some(_) if !sizes.is_sorted_by(|before, after| before < after) => unfit("the sizes must grow"),
        Some(_) => Ok(()),
    }
}

/// The listed values, each of which must stand once and not be missing.
fn check_values(ordered: &[String]) -> Result<HashMap<&str, usize>, HierarchyError> {
    let unfit = |problem: String| Err(HierarchyError::unfit("order", problem));
    let mut places = HashMap::new();
    for (place, value) in (1..).zip(ordered) {
        if value.is_empty() {
            return unfit(format!("entry {place} is empty; the missing value has no place in an order"));
        }
        if let Some(first) = places.insert(value.as_str(), place) {
            return unfit(format!("entries {first} and {place} are the same value"));
        }
    }
    if places.is_empty() { unfit("the list of values is empty".into()) } else { Ok(places) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::words as texts;

    #[test]
    fn runs_are_named_by_their_ends() {
        let ladder = fit(&[String::new(), "c".into()], &texts("a b c d e"), &[2, 4]).unwrap();
        let expected = "a;a … b;a … d;*\nb;a … b;a … d;*\nc;c … d;a … d;*\nd;c … d;a … d;*\ne;e;e;*\n;;;*\n";
        assert_eq!(ladder.to_csv(), expected);
        assert!(ladder.is_nested());
    }

    #[test]
    fn a_run_of_all_is_the_top() {
        let ladder = fit(&[String::new()], &texts("a b c"), &[2, 3]).unwrap();
        assert_eq!(ladder.to_csv(), "a;a … b;a … c\nb;a … b;a … c\nc;c;a … c\n;;a … c\n");
    }

    #[test]
    fn sizes_that_do_not_divide_are_not_nested() {
        assert_eq!(fit(&[], &texts("a b c d e f g"), &[2, 3]).unwrap().first_unnested(), Some(2));
        assert_eq!(fit(&[], &texts("a b c d e f g"), &[2, 4]).unwrap().first_unnested(), None);
    }

    #[test]
    fn unfit_lists_are_refused() {
        let check = |ordered: &[String], sizes: &[usize], expected: &str| {
            assert_eq!(fit(&[], ordered, sizes).unwrap_err().to_string(), format!("order: {expected}"));
        };
        check(&texts("a b"), &[], "at least one size is needed");
        check(&texts("a b"), &[1], "a run joins two values or more");
        check(&texts("a b"), &[2, 2], "the sizes must grow");
        check(&[], &[2], "the list of values is empty");
        check(&texts("a b a"), &[2], "entries 1 and 3 are the same value");
        check(&[String::new()], &[2], "entry 1 is empty; the missing value has no place in an order");
    }

    #[test]
    fn unlisted_values_are_counted() {
        let error = fit(&texts("a x y"), &texts("a b"), &[2]).unwrap_err();
        assert_eq!(error, HierarchyError::Unlisted { count: 2, positions: vec![1, 2] });
    }
}
