//! The order of the safe nodes of a published data set, beside a sort of all of them.

use std::fs;

use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::hierarchy::Builder;
use equanym_core::hierarchy::csv::HierarchyFile;
use equanym_core::lattice::Node;
use equanym_core::loss::{self, JudgedClasses, Loss};
use equanym_core::privacy::Guard;
use equanym_core::variable::Variable;
use equanym_core::{card, privacy};
use equanym_engine::run::alternatives::alternatives;

use crate::releasing::{benchmark_policy, shared_data};
use crate::requests;

/// The losses, one of which is alike for many nodes.
const LOSSES: [&str; 2] = ["non-uniform-entropy", "precision"];

/// A safe node as nodes are ordered: by loss, suppressed records, height and levels.
type Rank = (u128, u64, u32, Vec<u8>);

/// All records of a table of delimited text as keys, each column with its published ladder.
fn table(text: &str, ladder: impl Fn(&str) -> String) -> Table {
    let mut lines = text.lines().map(|line| line.split(';').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let records: Vec<Vec<&str>> = lines.collect();
    let mut variables = Vec::new();
    let mut columns = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let mut values: Vec<String> = records.iter().map(|record| record[place].to_owned()).collect();
        values.sort_unstable();
        values.dedup();
        let hierarchy = Builder::File(HierarchyFile::parse(&ladder(name)).unwrap()).fit(&values).unwrap();
        let code = |value: &str| hierarchy.values().iter().position(|known| known == value).unwrap();
        columns.push(records.iter().map(|record| u32::try_from(code(record[place])).unwrap()).collect());
        let (name, max_level) = ((*name).to_owned(), hierarchy.height());
        variables.push(Variable { name, min_level: 0, max_level, weight: 0.0, hierarchy });
    }
    Table::new(variables, &columns, vec![1; records.len()], Vec::new()).unwrap()
}

/// Every node of a table.
struct AllNodes<'a> {
    table: &'a Table,
    guard: &'a Guard,
    losses: Vec<Box<dyn Loss>>,
    allowance: u64,
    nodes: u64,
    safe: Vec<Vec<Rank>>,
}

impl AllNodes<'_> {
    /// Goes through the levels of a variable and of those after it, each from the set of the one before.
    fn visit(&mut self, set: &FrequencySet, variable: usize) {
        if variable == self.table.variables.len() {
            self.look_at(set);
            return;
        }
        for level in 0..=self.table.variables[variable].max_level {
            let node = set.node.with(variable, level);
            let rolled = self.table.roll_up(set, &node).set;
            self.visit(&rolled, variable + 1);
        }
    }

    fn look_at(&mut self, set: &FrequencySet) {
        self.nodes += 1;
        let verdict = self.guard.judge(set);
        if verdict.suppressed > self.allowance {
            return;
        }
        let Node(levels) = &set.node;
        let height = levels.iter().map(|level| u32::from(*level)).sum();
        for (loss, safe) in self.losses.iter().zip(&mut self.safe) {
            let units = loss.summarise(self.table, &JudgedClasses { set, verdict: &verdict, finer: None }).units;
            safe.push((units, verdict.suppressed, height, levels.to_vec()));
        }
    }
}

#[test]
fn the_order_is_that_of_all_nodes_of_adult() {
    let Some(data) = shared_data() else { return };
    let folder = data.join("adult");
    let text = fs::read_to_string(folder.join("adult.csv")).unwrap();
    let ladder = |name: &str| fs::read_to_string(folder.join("hierarchies").join(format!("{name}.csv"))).unwrap();
    let table = table(&text, ladder);
    let k = card::Parameters::from([("k".to_owned(), card::Value::Integer(5))]);
    let guard = Guard::new(vec![privacy::build("k-anonymity", &k, &[]).unwrap()]);
    let built = |name: &str| {
        let member = loss::find(name).unwrap();
        member.build(&table, &member.card.check(&card::Parameters::new(), |_| None).unwrap()).unwrap()
    };
    let losses = LOSSES.iter().map(|name| built(name)).collect();
    let safe = vec![Vec::new(); LOSSES.len()];
    let allowance = table.records / 20;
    let mut everything = AllNodes { table: &table, guard: &guard, losses, allowance, nodes: 0, safe };
    everything.visit(table.keys(), 0);
    assert_eq!(everything.nodes, 12_960);
    let columns: Vec<&str> = table.variables.iter().map(|variable| variable.name.as_str()).collect();
    for ((name, measure), mut safe) in LOSSES.iter().zip(&everything.losses).zip(everything.safe) {
        safe.sort_unstable();
        let method = format!("[method]\nsuppression_limit = 0.05\nloss = \"{name}\"\n");
        let policy = benchmark_policy(&folder, &columns, &method);
        let found = alternatives(&requests::alternatives(&folder.join("adult.csv"), &policy, 25)).unwrap();
        let found: Vec<(f64, u64, Vec<u8>)> = found
            .alternatives
            .iter()
            .map(|one| (one.loss, one.suppressed, one.node.0.iter().map(|(_, level)| *level).collect()))
            .collect();
        let sorted: Vec<(f64, u64, Vec<u8>)> = safe
            .iter()
            .take(25)
            .map(|(units, suppressed, _, levels)| {
                (loss::as_number(measure.as_ref(), *units), *suppressed, levels.clone())
            })
            .collect();
        assert_eq!(found, sorted, "{name}");
        let has_ties = safe.iter().zip(safe.iter().skip(1)).take(24).any(|(one, other)| one.0 == other.0);
        assert_eq!(has_ties, *name == "precision", "one of the two shall have ties");
    }
}
