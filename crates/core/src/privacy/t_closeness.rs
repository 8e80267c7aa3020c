//! t-closeness: a class tells no more about a sensitive variable than the whole table does.
//!
//! A class is safe when the distance between how its records and how all records of the table spread over the values is at
//! most `t`. All records count, withheld ones too, so the reference never changes during a search. The distance is what
//! moving the one distribution into the other costs, when moving a share from one value to another costs
//!
//! * *equal*: 1, whatever the values. The distance is half the sum of |p − q|.
//! * *ordered*: how many places apart they are, of the most that two values can be. The distance is the sum of
//!   |P − Q| of the cumulated shares, divided by one less than there are values.
//! * *hierarchical*: the level at which their labels meet, of all levels. On such a tree the cost of the best way is known:
//!   half the sum over all labels below the top of |p − q|, divided by the height. One level gives the equal distance.
//!
//! All three are decided in whole numbers. With c of n records in the class and C of N in the table, p − q is
//! (c N − C n) / (n N).
//!
//! **How much a division may keep** (`most`). The distance is convex, so a union of safe classes is safe. Let K records be
//! kept, and let the class have c of a value, or of a label. Their share p is at most c / K, so
//!
//! > distance ≥ Σ over the values of max(0, q − c / K)
//!
//! for the equal distance: what q has above p must be moved. The sum grows with K, so the largest K is bisected. For the
//! ordered distance the same is said of cumulated shares, from below and from above.
//!
//! Source: Li, Li & Venkatasubramanian 2007; for trees, Evans & Matsen 2012. Spec: `specs/privacy/t-closeness.md`.

use super::ratio::Ratio;
use super::{
    ClassView, Closure, ModelMember, ModelNeeds, NearestParameter, PrivacyModel, SensitiveVariable, VARIABLE, largest,
    sensitive_variable,
};
use crate::card::{Card, Kind, Parameter, Promise, text};
use crate::hierarchy::Code;

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "t-closeness",
        summary: "in each class a sensitive variable spreads as in the whole table, up to a distance of t",
        about: "Whoever finds a person's class learns little about the sensitive value that the table as a whole does not \
                tell: the two distributions differ by at most t. It is strict: small classes rarely look like the whole. \
                The hierarchical distance takes values for alike that meet low on the variable's ladder, the ordered \
                distance those that are neighbours in an order.",
        promises: &[Promise::ClosedUnderUnion, Promise::Bounded],
        parameters: &[
            VARIABLE,
            Parameter::required("t", Kind::Share, "the greatest distance between a class and the table; 0.2 is common"),
            Parameter::defaulting(
                "distance",
                Kind::Choice(&["equal", "ordered", "hierarchical"]),
                "equal",
                "how far values are apart: all alike, by an order, or by the variable's ladder",
            ),
        ],
        source: "N. Li, T. Li, S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and l-diversity, ICDE 2007",
    },
    needs: |parameters| match text(parameters, "distance") {
        "ordered" => ModelNeeds::Order,
        "hierarchical" => ModelNeeds::Ladder,
        _ => ModelNeeds::Table,
    },
    build: |parameters, sensitive| {
        let variable = sensitive_variable(parameters, sensitive);
        let known = sensitive.get(variable).cloned().unwrap_or_default();
        let distance = match text(parameters, "distance") {
            "ordered" => ValueDistance::Ordered(places(known.order_of_values()?)),
            "hierarchical" => ValueDistance::Labels(known.ladder_of_values()?),
            _ => ValueDistance::Labels(vec![(0..).take(known.counts.len()).collect()]),
        };
        Ok(Box::new(TCloseness::new(variable, Ratio::read(parameters, "t"), distance, &known)))
    },
};

/// How far values are apart.
enum ValueDistance {
    /// The place of each code in the order.
    Ordered(Vec<u32>),
    /// For each level below the top the label of each code.
    Labels(Vec<Vec<u32>>),
}

struct TCloseness {
    variable: usize,
    t: Ratio,
    distance: ValueDistance,
    /// The records of the table, for each level by label; for an order, up to and with each place.
    reference: Vec<Vec<u64>>,
    /// What the sum of differences is divided by.
    divisor: u128,
    records: u64,
}

/// Where each code stands, given the codes in order.
fn places(order: Vec<Code>) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    (0..).zip(order).for_each(|(place, code)| places[code as usize] = place);
    places
}

impl TCloseness {
    fn new(variable: usize, t: Ratio, distance: ValueDistance, known: &SensitiveVariable) -> Self {
        let counts: Vec<(Code, u64)> = (0..).zip(known.counts.iter().copied()).collect();
        let (reference, divisor) = match &distance {
            ValueDistance::Ordered(places) => {
                (vec![cumulated(places, &counts)], places.len().saturating_sub(1).max(1) as u128)
            }
            ValueDistance::Labels(levels) => {
                let by_label = levels.iter().map(|labels| by_label(labels, &counts)).collect();
                (by_label, 2 * levels.len().max(1) as u128)
            }
        };
        Self { variable, t, distance, reference, divisor, records: known.counts.iter().sum() }
    }

    /// The records of a class as the reference has those of the table.
    fn arranged(&self, class: &ClassView<'_>) -> Vec<Vec<u64>> {
        self.arrange(class.sensitive_counts(self.variable))
    }

    fn arrange(&self, counts: &[(Code, u64)]) -> Vec<Vec<u64>> {
        match &self.distance {
            ValueDistance::Ordered(places) => vec![cumulated(places, counts)],
            ValueDistance::Labels(levels) => levels.iter().map(|labels| by_label(labels, counts)).collect(),
        }
    }

    /// The distance times n, N and the divisor.
    fn distance(&self, arranged: &[Vec<u64>], size: u64) -> u128 {
        let pairs = arranged.iter().zip(&self.reference).flat_map(|(class, table)| class.iter().zip(table));
        let (size, records) = (u128::from(size), u128::from(self.records));
        pairs.map(|(&c, &all)| (u128::from(c) * records).abs_diff(u128::from(all) * size)).sum()
    }

    /// Whether a distance is at most t.
    fn is_near(&self, distance: u128, size: u64) -> bool {
        let most = self.t.numerator * self.divisor * u128::from(size) * u128::from(self.records);
        distance * self.t.denominator <= most
    }

    /// What any so many people of a class of `size` records differ from the table at most, times their number, N and the divisor.
    fn most_distance(&self, arranged: &[Vec<u64>], size: u64, people: u64) -> u128 {
        let levels = arranged.iter().zip(&self.reference);
        match &self.distance {
            ValueDistance::Labels(_) => {
                levels.map(|(class, table)| most_above(class, table, self.records, people)).sum()
            }
            ValueDistance::Ordered(_) => {
                let (wide, records) = (u128::from(people), u128::from(self.records));
                let away = |here: u64, all: u64| (u128::from(here) * records).abs_diff(u128::from(all) * wide);
                let farther =
                    |(&c, &all): (&u64, &u64)| away(c.min(people), all).max(away(people.saturating_sub(size - c), all));
                levels.flat_map(|(class, table)| class.iter().zip(table)).map(farther).sum()
            }
        }
    }

    /// What any so many records of a class differ from the table at least, times their number, N and the divisor.
    fn least_distance(&self, arranged: &[Vec<u64>], size: u64, kept: u64) -> u128 {
        let (wide, records) = (u128::from(kept), u128::from(self.records));
        let above = |all: u64, c: u64| (u128::from(all) * wide).saturating_sub(u128::from(c) * records);
        let pairs = arranged.iter().zip(&self.reference).flat_map(|(class, table)| class.iter().zip(table));
        match &self.distance {
            // What is moved in is moved out: half of the differences.
            ValueDistance::Labels(_) => 2 * pairs.map(|(&c, &all)| above(all, c)).sum::<u128>(),
            ValueDistance::Ordered(_) => {
                pairs.map(|(&c, &all)| above(all, c).max(above(self.records - all, size - c))).sum()
            }
        }
    }
}

/// What `people` of a class differ from the table at most in the labels of a level, times their number and N: twice what they have
/// above it. Labels are taken in the order of c / C, as far as the people go; the last one may be divided.
fn most_above(class: &[u64], table: &[u64], records: u64, people: u64) -> u128 {
    let mut labels: Vec<(u128, u128)> = class.iter().zip(table).map(|(&c, &all)| (c.into(), all.into())).collect();
    labels.retain(|(c, _)| *c > 0);
    labels.sort_unstable_by(|(c, all), (other, others)| (other * all).cmp(&(c * others)));
    let (records, people) = (u128::from(records), u128::from(people));
    let (mut left, mut above) = (people, 0);
    for (c, all) in labels {
        let taken = c.min(left);
        above += (taken * records).saturating_sub(all * people * taken / c);
        left -= taken;
    }
    2 * above
}

/// Records by label.
fn by_label(labels: &[u32], counts: &[(Code, u64)]) -> Vec<u64> {
    let mut sums = vec![0; labels.iter().max().map_or(0, |most| *most as usize + 1)];
    for &(code, count) in counts {
        if let Some(sum) = labels.get(code as usize).and_then(|&label| sums.get_mut(label as usize)) {
            *sum += count;
        }
    }
    sums
}

/// Records up to and with each place.
fn cumulated(places: &[u32], counts: &[(Code, u64)]) -> Vec<u64> {
    let mut sums = by_label(places, counts);
    let mut sum = 0;
    for here in &mut sums {
        sum += *here;
        *here = sum;
    }
    sums
}

impl PrivacyModel for TCloseness {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        let whole = class.whole(self.variable);
        self.is_near(self.distance(&self.arranged(class), whole), whole)
    }

    fn sensitive(&self) -> Option<usize> {
        Some(self.variable)
    }

    fn closure(&self) -> Closure {
        Closure::Union
    }

    fn allows_any(&self, class: &ClassView<'_>, people: u64) -> bool {
        let counts = class.record_counts(self.variable);
        let whole: u64 = counts.iter().map(|(_, count)| count).sum();
        self.is_near(self.most_distance(&self.arrange(counts), whole, people), people)
    }

    fn most(&self, class: &ClassView<'_>) -> u64 {
        let (arranged, size) = (self.arranged(class), class.whole(self.variable));
        largest(size, |kept| self.is_near(self.least_distance(&arranged, size, kept), kept))
    }

    fn nearest(&self, class: &ClassView<'_>) -> Vec<NearestParameter> {
        let size = class.whole(self.variable);
        let distance = self.distance(&self.arranged(class), size);
        let whole = self.divisor as f64 * size as f64 * self.records as f64;
        let near = || NearestParameter::at_least(MEMBER.card.name, "t", distance as f64 / whole);
        (!self.allows(class)).then(near).into_iter().collect()
    }
}
