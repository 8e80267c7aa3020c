//! Small random tables, with the release and the claims that they make.

use std::collections::BTreeMap;

use equanym_audit::{AuditError, Ladder, Options, ValueMeaning, Verdict};
use serde_json::{Value, json};

use crate::release::{NOTE, Release, Rows, options};
use crate::source::Source;

/// Random numbers that are the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// A record of the original.
#[derive(Clone, Debug)]
pub struct Line {
    pub class: usize,
    pub person: usize,
    /// From 1 to 5.
    pub value: usize,
}

/// Models that look at no variable.
const UNSEEING: [&str; 6] =
    ["k-anonymity", "k-map", "delta-presence", "average-risk", "records-at-risk", "sample-uniques"];

/// A table, of which classes from `released` on are withheld.
#[derive(Clone, Debug)]
pub struct Table {
    pub lines: Vec<Line>,
    pub released: usize,
    pub has_person: bool,
    /// Whether the notes are tokens of people, who are then counted.
    pub has_tokens: bool,
}

impl Table {
    /// A few classes of a few records.
    pub fn random(dice: &mut Dice, withheld: usize, has_person: bool) -> Self {
        let released = 1 + dice.below(3);
        let (values, people) = (2 + dice.below(4), 3 + dice.below(6));
        let mut lines = Vec::new();
        for class in 0..released + withheld {
            let size = dice.one_of(&[2, 4, 4, 5, 6, 8, 10]);
            // Some classes have one frequent value, some all alike.
            let plain = dice.below(3);
            for record in 0..size {
                let value = if plain == 0 { record % values } else { dice.below(values) };
                lines.push(Line { class, person: dice.below(people), value: value + 1 });
            }
        }
        Self { lines, released, has_person, has_tokens: false }
    }

    fn is_released(&self, line: &Line) -> bool {
        line.class < self.released
    }

    /// What a model counts of some records: a person once, and once with each value.
    pub fn counts(&self, lines: &[&Line]) -> (u64, BTreeMap<usize, u64>) {
        let mut pairs: Vec<(usize, usize)> = lines.iter().map(|line| (line.person, line.value)).collect();
        let mut people: Vec<usize> = lines.iter().map(|line| line.person).collect();
        if self.has_person {
            pairs.sort_unstable();
            pairs.dedup();
            people.sort_unstable();
            people.dedup();
        }
        let mut counts = BTreeMap::new();
        for (_, value) in pairs {
            *counts.entry(value).or_default() += 1;
        }
        (people.len() as u64, counts)
    }

    pub fn whole(&self) -> BTreeMap<usize, u64> {
        self.counts(&self.lines.iter().collect::<Vec<_>>()).1
    }

    /// The released classes.
    pub fn classes(&self) -> Vec<(u64, BTreeMap<usize, u64>)> {
        let of = |class: usize| self.lines.iter().filter(|line| line.class == class).collect::<Vec<_>>();
        (0..self.released).map(|class| self.counts(&of(class))).collect()
    }

    pub fn withholds(&self) -> bool {
        self.lines.iter().any(|line| !self.is_released(line))
    }

    pub fn rows(&self) -> Rows {
        let row = |line: &Line| {
            let (class, value) = (format!("c{}", line.class), line.value.to_string());
            let note = if self.has_tokens { token(line.person) } else { "note".to_owned() };
            ["[25, 30[", &class, "123*", "2026-03", "Higher", "*", &value, &note].map(str::to_owned).to_vec()
        };
        let mut rows: Rows = self.lines.iter().filter(|line| self.is_released(line)).map(row).collect();
        rows.sort();
        rows
    }

    /// The release with some privacy claims. What is not said of units and of what shows them is added.
    pub fn release(&self, claims: &[Value]) -> Release {
        let rows = self.rows();
        let sizes: Vec<usize> =
            (0..self.released).map(|class| self.lines.iter().filter(|line| line.class == class).count()).collect();
        let mut release = Release::of(&rows);
        let suppressed = self.lines.len() - rows.len();
        release
            .claim("/records", json!({"original": self.lines.len(), "released": rows.len(), "suppressed": suppressed}));
        release.claim("/suppression_limit", json!(1.0));
        release.claim("/classes", json!({"count": sizes.len(), "min": sizes.iter().min(), "max": sizes.iter().max()}));
        release.claim("/columns/4/level", json!(0));
        release.claim("/columns/4/labels", json!({"rule": "as-collected"}));
        if self.has_person {
            release.manifest["person"] = json!("name");
        }
        if self.has_tokens {
            release.manifest["person"] = json!("note");
            release.manifest["columns"][NOTE] =
                json!({"name": "note", "role": "pseudonym", "treatments": [{"treatment": "pseudonym"}]});
        }
        let claims: Vec<Value> = claims.iter().map(|claim| self.completed(claim.clone())).collect();
        release.claim("/privacy", json!(claims));
        release
    }

    fn completed(&self, mut claim: Value) -> Value {
        let needs_whole =
            ["t-closeness", "beta-likeness", "delta-disclosure"].contains(&claim["model"].as_str().unwrap());
        let by_original =
            self.has_person || (needs_whole && self.withholds()) || claim["distance"] == json!("hierarchical");
        let add = |claim: &mut Value, key: &str, value: &str| {
            if claim.get(key).is_none() {
                claim[key] = json!(value);
            }
        };
        if !UNSEEING.contains(&claim["model"].as_str().unwrap()) {
            add(&mut claim, "variable", "diagnosis");
        }
        add(&mut claim, "checked", if by_original { "original" } else { "release" });
        add(&mut claim, "unit", if self.has_person { "people" } else { "records" });
        claim
    }

    /// The same with the tokens of its people.
    pub fn with_tokens(self) -> Self {
        Self { has_person: true, has_tokens: true, ..self }
    }

    /// The original.
    pub fn source(&self) -> Source {
        let mut source = Source::honest();
        let record = |line: &Line| {
            let (person, class, value) =
                (format!("p{}", line.person), format!("c{}", line.class), line.value.to_string());
            let note = if self.has_tokens { &person } else { "note" };
            let cells = [&person, &class, "27", "12345", "2026-03-05", "Higher", "x", &value, note];
            cells.map(str::to_owned).to_vec()
        };
        source.records = self.lines.iter().map(record).collect();
        source
    }

    pub fn audit(&self, release: &Release) -> Result<Verdict, AuditError> {
        let (source, known) = (self.source(), [ladder()]);
        release.audit_with(&Options { original: Some(&source), known: &known, ..options() })
    }
}

/// The token of a person.
pub fn token(person: usize) -> String {
    format!("p{person:032x}")
}

/// Level by level: 1 and 2, 4 and 5 meet; then 1, 2 and 3; then all.
pub fn ladder() -> ValueMeaning {
    let rows = [
        ("1", "low", "small"),
        ("2", "low", "small"),
        ("3", "mid", "small"),
        ("4", "top", "large"),
        ("5", "top", "large"),
    ];
    let row = |(value, one, two): (&str, &str, &str)| {
        (value.to_owned(), vec![one.to_owned(), two.to_owned(), "*".to_owned()])
    };
    let listed = Ladder::Listed(rows.map(row).to_vec());
    ValueMeaning { name: "diagnosis".to_owned(), ladder: Some(listed), ..ValueMeaning::default() }
}

/// The level at which two values meet on that ladder.
pub fn meet(one: usize, other: usize) -> i128 {
    let labels = |value: usize| ([1, 1, 2, 3, 3][value - 1], [1, 1, 1, 2, 2][value - 1]);
    match (labels(one), labels(other)) {
        _ if one == other => 0,
        ((a, _), (b, _)) if a == b => 1,
        ((_, a), (_, b)) if a == b => 2,
        _ => 3,
    }
}
