//! Values with their ladders, written out: what each level makes of each value. A level may be of any kind.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// How many levels each ladder has, the top among them.
pub const LEVELS: usize = 20;

/// A column with all the ladders that it may have.
pub struct Domain {
    pub name: &'static str,
    pub values: Vec<&'static str>,
    pub levels: Vec<Level>,
}

/// A level of some ladder.
#[derive(Clone)]
pub struct Level {
    pub place: usize,
    pub claim: Value,
    /// The label of each value.
    pub labels: Vec<String>,
    pub is_listed: bool,
}

impl Domain {
    fn new(name: &'static str, values: &[&'static str]) -> Self {
        let mut domain = Self { name, values: values.to_vec(), levels: Vec::new() };
        domain.push(0, json!({"rule": "as-collected"}), str::to_owned);
        domain.levels.push(Level {
            place: LEVELS - 1,
            claim: json!({"rule": "top"}),
            labels: vec!["*".to_owned(); values.len()],
            is_listed: false,
        });
        domain
    }

    fn push(&mut self, place: usize, claim: Value, label: impl Fn(&str) -> String) {
        let labels = self.values.iter().map(|value| if value.is_empty() { String::new() } else { label(value) });
        self.levels.push(Level { place, claim, labels: labels.collect(), is_listed: false });
    }

    /// A list, as of groups, a file, an order or rare values; each word has the label of a value, in their order.
    fn list(mut self, place: usize, labels: &str) -> Self {
        let labels: Vec<String> =
            labels.split(' ').map(|label| if label == "-" { String::new() } else { label.to_owned() }).collect();
        assert_eq!(labels.len(), self.values.len());
        self.levels.push(Level { place, claim: json!({"rule": "listed"}), labels, is_listed: true });
        self
    }

    fn prefix(mut self, keeps: &[usize]) -> Self {
        for keep in keeps {
            self.push(10 + keep, json!({"rule": "prefix", "keep": keep}), |value| {
                value.get(..*keep).map_or(value.to_owned(), |start| format!("{start}*"))
            });
        }
        self
    }

    /// Bands of a width, cut at the ends; no width for the numbers themselves.
    fn bands(mut self, width: Option<i64>, bottom: Option<i64>, top: Option<i64>) -> Self {
        let mut claim = json!({"rule": if width.is_some() { "interval" } else { "ends" }});
        for (key, number) in [("width", width), ("bottom", bottom), ("top", top)] {
            if let Some(number) = number {
                claim[key] = json!(number.to_string());
            }
        }
        let label = |value: &str| {
            let number: i64 = value.parse().unwrap();
            match (bottom, top, width) {
                (Some(bottom), ..) if number < bottom => format!("under {bottom}"),
                (_, Some(top), _) if number >= top => format!("{top}+"),
                (.., None) => value.to_owned(),
                (.., Some(width)) => {
                    let low = number.div_euclid(width) * width;
                    let high = (low + width).min(top.unwrap_or(i64::MAX));
                    format!("[{}, {high}[", low.max(bottom.unwrap_or(i64::MIN)))
                }
            }
        };
        let place = width.map_or(0, |_| self.levels.len().min(9));
        self.push(place, claim, label);
        self
    }

    /// Levels of a rule with their labels, a line for each.
    fn steps(mut self, lines: &[(Value, &str)]) -> Self {
        for (place, (claim, labels)) in lines.iter().enumerate() {
            let labels: Vec<String> = labels.split('|').map(str::to_owned).collect();
            assert_eq!(labels.len(), self.values.len(), "{labels:?}");
            self.levels.push(Level { place: place + 1, claim: claim.clone(), labels, is_listed: false });
        }
        self
    }

    /// What each listed level joins, as a mask has it; `own` is a level that stands in place of others.
    pub fn rungs(&self, own: &Level) -> Value {
        let rung = |place: usize| {
            let mut levels = std::iter::once(own).chain(&self.levels);
            let Some(level) = levels.find(|level| level.place == place && level.is_listed) else {
                return json!({"rule": {"rule": "top"}});
            };
            let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (value, label) in self.values.iter().zip(&level.labels).filter(|(_, label)| !label.is_empty()) {
                groups.entry(label).or_default().push(value);
            }
            json!({"rule": {"rule": "listed"}, "of": 0, "groups": groups})
        };
        let levels: Vec<Value> = (0..LEVELS).map(rung).collect();
        json!({"variable": self.name, "min": 0, "max": LEVELS - 1, "levels": levels})
    }
}

fn library(name: &str, steps: &[&'static str]) -> Vec<(Value, &'static str)> {
    (1..)
        .zip(steps)
        .map(|(step, labels)| (json!({"rule": "library", "library": name, "step": step}), *labels))
        .collect()
}

/// Every kind of ladder.
pub fn all() -> Vec<Domain> {
    let grains = [
        ("day", "2024-12-28|2024-12-30|2025-01-02|2025-01-06|2025-03-31|2025-04-01|2029-12-31|2030-01-01"),
        ("week", "2024-W52|2025-W01|2025-W01|2025-W02|2025-W14|2025-W14|2030-W01|2030-W01"),
        ("month", "2024-12|2024-12|2025-01|2025-01|2025-03|2025-04|2029-12|2030-01"),
        ("quarter", "2024-Q4|2024-Q4|2025-Q1|2025-Q1|2025-Q1|2025-Q2|2029-Q4|2030-Q1"),
        ("year", "2024|2024|2025|2025|2025|2025|2029|2030"),
        ("5 years", "2020-2024|2020-2024|2025-2029|2025-2029|2025-2029|2025-2029|2025-2029|2030-2034"),
        ("decade", "2020s|2020s|2020s|2020s|2020s|2020s|2020s|2030s"),
    ];
    let grains =
        grains.map(|(grain, labels)| (json!({"rule": "date", "grain": grain, "format": "YYYY-MM-DD"}), labels));
    let days = grains[0].1.split('|').collect::<Vec<_>>();
    vec![
        Domain::new("age", &["0", "3", "5", "7", "9", "12", "14", "17", "19", "21"])
            .bands(Some(5), None, None)
            .bands(Some(10), None, None)
            .bands(Some(7), None, None)
            .bands(Some(20), None, None)
            .bands(Some(5), None, Some(15))
            .bands(Some(5), None, Some(12))
            .bands(Some(10), Some(5), Some(15))
            .bands(None, None, Some(15))
            .bands(None, Some(5), Some(12))
            .list(10, "child child child child child youth youth youth adult adult")
            .prefix(&[1]),
        Domain::new("zip", &["1", "12", "123", "124", "1245", "13", "2", "21", "213"])
            .prefix(&[3, 2, 1])
            .list(1, "a a b b b c d d d")
            .list(2, "a a a a a c c c c"),
        Domain::new("seen", &days).steps(&grains).list(10, "old old new new spring spring late late"),
        Domain::new("town", &["Aby", "Bby", "Cby", "Dby", "Eby", "Fby", ""])
            .list(1, "North North South South West West -")
            .list(2, "Up Up Up Up Down Down -")
            .list(3, "x y y z z x -")
            .list(4, "p p p q q q Nowhere")
            .list(5, "Aby Bby Other Other Other Other -")
            .list(5, "Aby Other Cby Other Other Other -"),
        Domain::new("illness", &["I50.14", "I51", "M1A.9", "M06", "Z66", "Y00"])
            .steps(&library(
                "icd-10",
                &[
                    "I50.1|I51|M1A.9|M06|Z66|Y00",
                    "I50|I51|M1A|M06|Z66|Y00",
                    "I30-I52|I30-I52|M05-M14|M05-M14|Z00-Z99|X85-Y09",
                    "I00-I99|I00-I99|M00-M99|M00-M99|Z00-Z99|V00-Y99",
                ],
            ))
            .list(10, "heart heart joint joint else else"),
        Domain::new("country", &["Germany", "France", "Poland", "Canada", "united-states", "Japan"]).steps(&library(
            "country-region",
            &[
                "Western Europe|Western Europe|Eastern Europe|Northern America|Northern America|Eastern Asia",
                "Europe|Europe|Europe|Americas|Americas|Asia",
            ],
        )),
        Domain::new("branch", &["J62.01Z", "62.09", "63.11", "01.11", "A"]).steps(&library(
            "nace-2",
            &["62.01|62.09|63.11|01.11|A", "62.0|62.0|63.1|01.1|A", "62|62|63|01|A", "J|J|J|A|A"],
        )),
        Domain::new("job", &["2512", "2513", "2522", "3112", "9111"])
            .steps(&library("isco-08", &["251|251|252|311|911", "25|25|25|31|91", "2|2|2|3|9"])),
        Domain::new("area", &["02138-1234", "02139", "89301", "10001"])
            .steps(&library("hipaa-zip3", &["021|021|000|100"]))
            .prefix(&[3, 2]),
    ]
}
