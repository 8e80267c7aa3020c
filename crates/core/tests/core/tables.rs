//! Small tables for the suites: written by hand, or drawn at random with ladders that are nested.

use equanym_core::card::{Card, Kind, Parameters, Value};
use equanym_core::contents::{Distribution, RowCounts};
use equanym_core::frequency::Table;
use equanym_core::hierarchy::csv::HierarchyFile;
use equanym_core::hierarchy::{Builder, Hierarchy};
use equanym_core::lattice::{Lattice, Node};
use equanym_core::privacy::SensitiveVariable;
use equanym_core::random::Seed;
use equanym_core::variable::Variable;
use proptest::prelude::*;

/// The name of the variable whose spread is counted.
pub const SECRET: &str = "secret";

/// Parameters that fit a card, with its whole numbers this far above their least values and its words chosen likewise.
pub fn parameters(card: &Card, above_least: u8) -> Parameters {
    // One after the other of those that may be left out.
    let optional: Vec<&str> =
        card.parameters.iter().filter(|one| matches!(one.kind, Kind::Optional(_))).map(|one| one.name).collect();
    let is_left_out = |name: &str| {
        optional
            .iter()
            .position(|one| *one == name)
            .is_some_and(|place| usize::from(above_least) % optional.len() != place)
    };
    let fitting = card.parameters.iter().filter(|one| !is_left_out(one.name)).filter_map(|parameter| {
        let kind = if let Kind::Optional(kind) = parameter.kind { *kind } else { parameter.kind };
        let value = match kind {
            Kind::Integer { min } => Value::Integer(min + i64::from(above_least)),
            Kind::Between { min, max } => Value::Integer((min + i64::from(above_least)).min(max)),
            Kind::SensitiveVariable | Kind::UnrecodedVariable => Value::Text(SECRET.to_owned()),
            Kind::Choice(words) => Value::Text(words[usize::from(above_least) % words.len()].to_owned()),
            Kind::UpTo(most) => Value::Number(f64::from(most) / f64::from(above_least + 1)),
            Kind::Share | Kind::PositiveShare | Kind::ShareOr(_) => Value::Number(1.0 / f64::from(above_least + 1)),
            Kind::Above(least) => Value::Integer(least + 1 + i64::from(above_least % 2)),
            // No decision takes them.
            Kind::WithChoice { .. }
            | Kind::WithParameter { .. }
            | Kind::Optional(_)
            | Kind::Number
            | Kind::Column
            | Kind::ColumnOrDate => return None,
            Kind::Table => Value::Text("population.csv".to_owned()),
            Kind::CountOr(_) => Value::Integer(1 + i64::from(above_least)),
            Kind::Flag => Value::Bool(above_least.is_multiple_of(2)),
        };
        Some((parameter.name.to_owned(), value))
    });
    let mut given: Parameters = fitting.collect();
    for parameter in card.parameters {
        if let Kind::WithChoice { parameter: other, word, kind } = parameter.kind
            && given.get(other) == Some(&Value::Text(word.to_owned()))
        {
            let value = match kind {
                Kind::Choice(words) => Value::Text(words[usize::from(above_least) % words.len()].to_owned()),
                Kind::Share | Kind::PositiveShare => Value::Number(1.0 / f64::from(above_least + 1)),
                _ => Value::Integer(2 + i64::from(above_least)),
            };
            given.insert(parameter.name.to_owned(), value);
        }
    }
    given
}

/// What models see of the sensitive variable of a table: its codes in order, and a ladder that joins two and then four of them.
pub fn sensitive(table: &Table) -> Vec<SensitiveVariable> {
    let Some(name) = table.sensitive.first() else { return Vec::new() };
    let counts = table.spread_counts(0);
    let codes = || 0..u32::try_from(counts.len()).unwrap();
    let ladder =
        vec![codes().collect(), codes().map(|code| code / 2).collect(), codes().map(|code| code / 4).collect()];
    vec![SensitiveVariable { name: name.clone(), order: Some(codes().collect()), ladder: Some(ladder), counts }]
}

/// A ladder from rows of an ARX file.
pub fn ladder(rows: &str) -> Hierarchy {
    Builder::File(HierarchyFile::parse(rows).unwrap()).fit(&[]).unwrap()
}

/// A variable that may use its whole ladder.
pub fn variable(name: &str, weight: f64, hierarchy: Hierarchy) -> Variable {
    let max_level = hierarchy.height();
    Variable { name: name.to_owned(), hierarchy, min_level: 0, max_level, weight }
}

/// A table from records of value codes; the sensitive code of each record may be given.
pub fn table(variables: Vec<Variable>, records: &[Vec<u32>], sensitive: Option<&[u32]>) -> Table {
    counted(variables, records, sensitive, None)
}

/// The same, and whose records they are may be given.
pub fn counted(
    variables: Vec<Variable>,
    records: &[Vec<u32>],
    sensitive: Option<&[u32]>,
    persons: Option<&[u32]>,
) -> Table {
    let column = |place: usize| records.iter().map(|record| record[place]).collect();
    let columns: Vec<Vec<u32>> = (0..variables.len()).map(column).collect();
    let spread = sensitive.map(|codes| {
        let lists = codes.iter().map(|&code| vec![(code, 1)]);
        (SECRET.to_owned(), Distribution::from_lists(lists))
    });
    let (counts, spread) = (vec![1; records.len()], spread.into_iter().collect());
    match persons {
        Some(persons) => Table::of_people(variables, &columns, counts, spread, persons).unwrap(),
        None => Table::new(variables, &columns, counts, spread).unwrap(),
    }
}

/// Every node of a lattice.
pub fn all_nodes(lattice: &Lattice) -> Vec<Node> {
    (0..=lattice.height()).flat_map(|steps| lattice.nodes_at(steps)).collect()
}

/// At most so many of a list, drawn from all of it; the same ones each time.
pub fn sample<T>(mut list: Vec<T>, most: usize) -> Vec<T> {
    let mut stream = Seed::from(list.len() as u64).stream(0);
    for place in 0..most.min(list.len()) {
        let other = place + stream.below(list.len() - place);
        list.swap(place, other);
    }
    list.truncate(most);
    list
}

/// A drawn table, as it can be shown when a test fails.
#[derive(Debug, Clone)]
pub struct RandomTable {
    pub ladders: Vec<String>,
    pub weights: Vec<u8>,
    /// For each variable the lowest and the highest level that a release may use; what a ladder does not have is cut off.
    pub levels: Vec<(u8, u8)>,
    pub records: Vec<Vec<u32>>,
    pub secrets: Vec<u32>,
    /// Whose records they are, where people are counted.
    pub persons: Option<Vec<u32>>,
    /// Records of the population that are not in the table, and whose they are, where the population is known.
    pub others: Option<Vec<(Vec<u32>, u32)>>,
}

impl RandomTable {
    /// The same with every level permitted.
    pub fn with_all_levels(mut self) -> Self {
        self.levels.fill((0, u8::MAX));
        self
    }

    /// The same records, the last one first.
    pub fn reversed(&self) -> Self {
        let mut reversed = self.clone();
        reversed.records.reverse();
        reversed.secrets.reverse();
        reversed.persons.iter_mut().for_each(|persons| persons.reverse());
        reversed
    }

    pub fn table(&self) -> Table {
        let variable = |(place, rows): (usize, &String)| {
            let whole = variable(&format!("v{place}"), f64::from(self.weights[place]) / 100.0, ladder(rows));
            let (low, high) = self.levels[place];
            let min_level = low.min(whole.max_level);
            Variable { min_level, max_level: high.clamp(min_level, whole.max_level), ..whole }
        };
        let variables = self.ladders.iter().enumerate().map(variable).collect();
        let table = counted(variables, &self.records, Some(&self.secrets), self.persons.as_deref());
        let Some(population) = self.population() else { return table };
        let column = |place: usize| population.iter().map(|(record, _)| record[place]).collect();
        let columns: Vec<Vec<u32>> = (0..self.ladders.len()).map(column).collect();
        let persons: Vec<u32> = population.iter().map(|(_, person)| *person).collect();
        let persons = self.persons.as_ref().map(|_| persons.as_slice());
        table.within(&RowCounts { columns: &columns, counts: &vec![1; population.len()], persons }).unwrap()
    }

    /// Everybody of the population, those of the table included.
    pub fn population(&self) -> Option<Vec<(Vec<u32>, u32)>> {
        let persons = self.persons.clone().unwrap_or_else(|| vec![0; self.records.len()]);
        let others = self.others.as_ref()?;
        Some(self.records.iter().cloned().zip(persons).chain(others.iter().cloned()).collect())
    }
}

/// Tables of one to four variables, up to three steps high, with up to thirty records. A third of the variables may not use
/// all of their levels. A third of the tables know people, of whom each has one key, and another third people who have
/// records anywhere. Half of them know the population that they were taken from.
pub fn drawn() -> impl Strategy<Value = RandomTable> {
    (1_usize..=4).prop_flat_map(|variables| {
        let ladders = prop::collection::vec(nested_ladder(), variables);
        let record = (prop::collection::vec(0_u32..6, variables), 0_u32..4, 0_u32..12);
        let records = (prop::collection::vec(record, 1..30), 0_u8..3);
        let weights = prop::collection::vec(0_u8..=100, variables);
        let levels = prop::collection::vec(prop_oneof![2 => Just((0, u8::MAX)), 1 => (0_u8..4, 0_u8..4)], variables);
        let other = (prop::collection::vec(0_u32..6, variables), 0_u32..24);
        let others = prop::option::of(prop::collection::vec(other, 0..30));
        (ladders, weights, levels, records, others).prop_map(|(ladders, weights, levels, (records, people), others)| {
            let size = |place: usize| u32::try_from(ladders[place].lines().count()).unwrap();
            let fitted = |record: Vec<u32>| -> Vec<u32> {
                record.into_iter().enumerate().map(|(place, code)| code % size(place)).collect()
            };
            let persons: Vec<u32> = records.iter().map(|(_, _, person)| *person).collect();
            let others = others.map(|others| {
                // Where everybody has one key, so have the others.
                let person = |place: u32, one: u32| if people == 1 { 1000 + place } else { one };
                (0..).zip(others).map(|(place, (record, one))| (fitted(record), person(place, one))).collect()
            });
            let (records, secrets): (Vec<Vec<u32>>, _) =
                records.into_iter().map(|(record, secret, _)| (fitted(record), secret)).unzip();
            let first = |record: &Vec<u32>| records.iter().position(|one| one == record).unwrap();
            let of_key = |(record, person): (&Vec<u32>, &u32)| 4 * u32::try_from(first(record)).unwrap() + person % 4;
            let persons = match people {
                0 => None,
                1 => Some(records.iter().zip(&persons).map(of_key).collect()),
                _ => Some(persons),
            };
            RandomTable { ladders, weights, levels, records, secrets, persons, others }
        })
    })
}

/// Rows of a nested ladder over one to six values: each level joins labels of the level below.
fn nested_ladder() -> impl Strategy<Value = String> {
    let joins = prop::collection::vec(prop::collection::vec(0_usize..3, 6), 0..3);
    (1_usize..=6, joins).prop_map(|(values, joins)| {
        let mut rows: Vec<String> = (0..values).map(|value| format!("value {value}")).collect();
        let mut group: Vec<usize> = (0..values).collect();
        for (level, join) in joins.iter().enumerate() {
            for (value, row) in rows.iter_mut().enumerate() {
                group[value] = join[group[value] % join.len()];
                *row = format!("{row};group {level} {}", group[value]);
            }
        }
        rows.into_iter().map(|row| row + ";*\n").collect()
    })
}
