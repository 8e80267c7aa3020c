//! The tables of the published experiments, or what stands in for them.
//!
//! `synthetic` is uniform and without structure, as published; `clusters` has five clouds to be found again; `census` is
//! our generator's; `adult` is read from the published data sets where they are at hand, with age, hours per week and
//! years of education, and the occupation as the sensitive variable.

use std::collections::BTreeMap;
use std::path::Path;

use equanym_core::random::{Seed, Stream};
use equanym_core::utility::{self, MeasuredTable};
use equanym_core::walk::WalkColumn;

use crate::failure::Result;
use crate::walk::census;

/// A table of numbers, and a sensitive variable where there is one.
#[derive(Clone)]
pub struct Data {
    pub name: &'static str,
    pub columns: Vec<WalkColumn>,
    /// For each record the code of its sensitive value.
    pub category: Option<Vec<u32>>,
}

impl Data {
    /// The first records alone.
    pub fn first(&self, records: usize) -> Self {
        let columns = self.columns.iter().map(|column| WalkColumn {
            values: column.values.iter().take(records).copied().collect(),
            ..column.clone()
        });
        let category = self.category.as_ref().map(|codes| codes.iter().take(records).copied().collect());
        Self { name: self.name, columns: columns.collect(), category }
    }

    /// The same with each column bounded by the domain of its attribute: ages by 1 and 120, all others by their smallest and their
    /// largest value.
    pub fn in_its_domain(&self) -> Self {
        let domain = |column: &WalkColumn| {
            let (low, high) = column.extremes()?;
            Some(if column.name == "age" { (low.min(1), high.max(120)) } else { (low, high) })
        };
        let columns = self.columns.iter().map(|column| WalkColumn { bounds: domain(column), ..column.clone() });
        Self { columns: columns.collect(), ..self.clone() }
    }

    /// The number of records.
    pub fn records(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// One of its columns alone.
    pub fn column(&self, name: &'static str, place: usize) -> Self {
        Self { name, columns: self.columns.get(place).cloned().into_iter().collect(), category: None }
    }

    /// As the metrics take it, with new values or with its own.
    pub fn numbers(&self, values: Option<&[Vec<Option<i128>>]>) -> MeasuredTable {
        let column = |(place, column): (usize, &WalkColumn)| {
            let values = values.and_then(|values| values.get(place)).unwrap_or(&column.values);
            utility::MeasuredColumn::exact(&column.name, floats(values))
        };
        MeasuredTable {
            columns: self.columns.iter().enumerate().map(column).collect(),
            category: self.category.clone(),
            ..MeasuredTable::default()
        }
    }
}

/// Values as floats; a missing one is not a number.
pub fn floats(values: &[Option<i128>]) -> Vec<f64> {
    values.iter().map(|value| value.map_or(f64::NAN, |value| value as f64)).collect()
}

/// Numbers of six digits, all alike.
pub fn synthetic(records: usize) -> Data {
    let mut stream = Seed::from(31).stream(0);
    let mut draw = || stream.below(1_000_000) as i128 + 1;
    let rows = (0..records).map(|_| [draw(), draw(), draw()]);
    Data { name: "synthetic", columns: census::whole_numbers(["a", "b", "c"], rows), category: None }
}

/// Incomes to the cent: skewed, and hardly two alike.
pub fn incomes(records: usize) -> Data {
    let mut stream = Seed::from(35).stream(0);
    let rows = (0..records).map(|_| [whole((10.5 + 0.6 * stream.normal()).exp() * 100.0)]);
    Data { name: "incomes", columns: census::whole_numbers(["income"], rows), category: None }
}

/// Five clouds in three dimensions.
pub fn clusters(records: usize) -> Data {
    const CENTRES: [[f64; 3]; 5] =
        [[2.0, 2.0, 2.0], [7.0, 3.0, 5.0], [3.0, 8.0, 4.0], [6.0, 7.0, 9.0], [9.0, 5.0, 1.5]];
    let mut stream = Seed::from(32).stream(0);
    let near = |centre: f64, stream: &mut Stream| whole(((centre + 0.7 * stream.normal()) * 100_000.0).max(1.0));
    let rows = (0..records).map(|_| {
        let centre = CENTRES[stream.below(CENTRES.len())];
        centre.map(|centre| near(centre, &mut stream))
    });
    Data { name: "clusters", columns: census::whole_numbers(["a", "b", "c"], rows), category: None }
}

#[allow(clippy::cast_possible_truncation)] // numbers of up to seven digits
fn whole(number: f64) -> i128 {
    number.round() as i128
}

/// The census, with fourteen branches of work that go with occupations most of the time.
pub fn census(records: usize) -> Data {
    let columns = census::columns(records, 33);
    let mut stream = Seed::from(34).stream(0);
    let branch = |occupation: &Option<i128>| {
        let own = occupation.unwrap_or(0).rem_euclid(14);
        if stream.below(10) < 6 {
            u32::try_from(own).unwrap_or(0)
        } else {
            u32::try_from(stream.below(14)).unwrap_or(0)
        }
    };
    let category = columns.last().map(|column| column.values.iter().map(branch).collect());
    Data { name: "census", columns, category }
}

/// The years that an education takes, in the numbering of the census bureau.
const EDUCATION: [&str; 16] = [
    "Preschool",
    "1st-4th",
    "5th-6th",
    "7th-8th",
    "9th",
    "10th",
    "11th",
    "12th",
    "HS-grad",
    "Some-college",
    "Assoc-voc",
    "Assoc-acdm",
    "Bachelors",
    "Masters",
    "Prof-school",
    "Doctorate",
];

/// The table with final weights made up in place of its second column: the table at hand has none. They are skewed as those of the
/// census bureau are, with about their mean and deviation, and go with nothing.
pub fn weighted(data: &Data) -> Data {
    let mut stream = Seed::from(36).stream(0);
    let mut table = data.clone();
    if let Some(column) = table.columns.get_mut(1) {
        "final-weight".clone_into(&mut column.name);
        column.values.iter_mut().for_each(|value| *value = Some(whole((12.02 + 0.53 * stream.normal()).exp())));
    }
    Data { name: "adult+weights", ..table }
}

/// The first records of adult13 whose occupation is known, if its folder is there.
pub fn adult(folder: &Path, records: usize) -> Result<Option<Data>> {
    let file = folder.join("adult13").join("adult13.csv");
    if !file.exists() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(file)?;
    let mut lines = text.lines().map(|line| line.split(';').collect::<Vec<&str>>());
    let head = lines.next().ok_or("adult13 is empty")?;
    let place = |name: &str| head.iter().position(|column| *column == name).ok_or(format!("adult13 has no {name}"));
    let places = [place("age")?, place("hours-per-week")?, place("education")?, place("occupation")?];
    let mut codes: BTreeMap<String, u32> = BTreeMap::new();
    let (mut rows, mut category) = (Vec::new(), Vec::new());
    for line in lines {
        let [age, hours, education, occupation] = places.map(|place| line.get(place).copied().unwrap_or(""));
        let years = EDUCATION.iter().position(|name| *name == education);
        let (Ok(age), Ok(hours), Some(years)) = (age.parse(), hours.parse(), years) else { continue };
        if occupation.chars().any(char::is_lowercase) && rows.len() < records {
            let next = u32::try_from(codes.len())?;
            category.push(*codes.entry(occupation.to_owned()).or_insert(next));
            rows.push([age, hours, years as i128 + 1]);
        }
    }
    let columns = census::whole_numbers(["age", "hours-per-week", "education"], rows.into_iter());
    Ok(Some(Data { name: "adult", columns, category: Some(category) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_the_records_that_were_asked_for() {
        for data in [synthetic(50), clusters(50), census(50)] {
            let records = |data: &Data| data.columns.iter().map(|column| column.values.len()).collect::<Vec<_>>();
            assert_eq!((records(&data), records(&data.first(20))), (vec![50; 3], vec![20; 3]));
        }
        assert!(census(500).category.is_some_and(|codes| codes.iter().max() == Some(&13)));
        assert!(adult(Path::new("nowhere"), 5).unwrap().is_none());
    }
}
