//! The appendix of the paper, derivation by derivation, on a table that its third figure may have shown.
//!
//! The figure itself is lost. The appendix gives DM* 16 for table (a) and 28 for table (b), which has the gender generalised.
//! Ten records of gender and age band have these numbers, and show what the figure is about: DM falls where DM* rises.

use equanym_core::frequency::Table;
use equanym_core::hierarchy::Builder;
use equanym_core::hierarchy::csv::HierarchyFile;
use equanym_core::loss::{self, JudgedClasses};
use equanym_core::variable::Variable;

use super::metrics::{self, Metric};
use crate::cell::guard;
use crate::failure::Result;
use crate::markdown;

/// Each derivation with what the code finds.
pub fn report() -> Result<String> {
    let table = figure_3()?;
    let line = |derivation: &str, metric: usize, paper: &str| -> Result<Vec<String>> {
        let metric = &metrics::ALL[metric];
        let [a, b] = [[0, 0], [1, 0]].map(|node| value(&table, metric, node));
        let ours = format!("{} → {}", shown(a?), shown(b?));
        Ok([derivation, metric.name, paper, ours.as_str()].map(str::to_owned).to_vec())
    };
    let lines = [
        line("1", 1, "not printed")?,
        line("2", 2, "16 → 28")?,
        line("3, equation 2", 3, "not printed")?,
        line("5, equation 4", 4, "not printed")?,
        line("none: ours", 5, "–")?,
    ];
    Ok(markdown::table(&["derivation", "metric", "printed: (a) → (b)", "found: (a) → (b)"], 2, &lines))
}

fn shown(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Ten records of gender and age band; the gender counts half, and the age not at all.
fn figure_3() -> Result<Table> {
    let variable = |name: &str, weight: f64, rows: &str| -> Result<Variable> {
        let hierarchy = Builder::File(HierarchyFile::parse(rows)?).fit(&[])?;
        let max_level = hierarchy.height();
        Ok(Variable { name: name.to_owned(), hierarchy, min_level: 0, max_level, weight })
    };
    let gender = variable("gender", 0.5, "M;*\nF;*\n")?;
    let age = variable("age", 0.0, "20-29;*\n30-39;*\n40-49;*\n50-59;*\n")?;
    let genders = vec![0, 0, 1, 1, 0, 0, 0, 1, 0, 1];
    let ages = vec![0, 0, 0, 0, 1, 1, 2, 2, 3, 3];
    Ok(Table::new(vec![gender, age], &[genders, ages], vec![1; 10], Vec::new())?)
}

fn value(table: &Table, metric: &Metric, node: [u8; 2]) -> Result<f64> {
    let loss = metric.prepared(table)?;
    let set = table.roll_up(table.keys(), &node.to_vec().into()).set;
    let verdict = guard(2)?.judge(&set);
    let units = loss.summarise(table, &JudgedClasses::new(&set, &verdict)).units;
    Ok(loss::as_number(loss.as_ref(), units))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_printed_numbers() {
        let table = figure_3().unwrap();
        let found = |metric: usize, node| value(&table, &metrics::ALL[metric], node).unwrap();
        assert_eq!((shown(found(2, [0, 0])), shown(found(2, [1, 0]))), ("16".to_owned(), "28".to_owned()));
        assert_eq!((shown(found(1, [0, 0])), shown(found(1, [1, 0]))), ("52".to_owned(), "28".to_owned()));
        assert_eq!((shown(found(3, [1, 0])), shown(found(4, [1, 0]))), ("9.71".to_owned(), "4.855".to_owned()));
    }
}
