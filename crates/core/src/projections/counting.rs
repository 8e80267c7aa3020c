//! Counts a node from pairs of variables, where no more than two are known and nothing else is judged.
//!
//! Who shares labels in two variables is remembered ([`crate::privacy`]). A node takes away what is withheld, group by group,
//! and looks at the groups that lose somebody. Its classes are never made. Keys are withheld in the order that the model
//! prescribes, so the verdict is the same; tests compare both. A node that withholds too much everywhere below is given up as
//! soon as that is known.
//!
//! What it buys: the time for a node grows with what is withheld there, not with the keys.

use std::sync::Arc;

use super::Projections;
use crate::frequency::small;
use crate::lattice::Node;
use crate::loss::{CountedNode, FORBIDDEN, ForcedSuppression, LossSummary, SuppressedClasses};
use crate::privacy::{GroupFault, LabelPair, PartsRule};

/// The keys of a node, as far as they are not withheld.
struct RemainingKeys<'p> {
    projections: &'p Projections<'p>,
    rule: &'p PartsRule,
    /// Choices of the variables that tell something.
    choices: Vec<VariableChoice>,
    is_withheld: Vec<bool>,
    withheld: Vec<u32>,
    records: u64,
}

/// A choice of variables, and how many of those who are left share labels in it.
struct VariableChoice {
    variables: (usize, usize),
    pair: Arc<LabelPair>,
    people: Vec<u32>,
    counts: Vec<u32>,
}

impl Projections<'_> {
    /// The node, if it can be counted from pairs, and in time.
    pub(crate) fn counted(&self, node: &Node) -> Option<CountedNode> {
        let (rule, loss) = (self.rule.as_ref()?, self.loss?);
        let mut left = RemainingKeys::at(self, rule, node)?;
        let charges = |left: &RemainingKeys<'_>| {
            loss.charges(self.table, &SuppressedClasses { set: &self.memory.keys, classes: &left.withheld })
        };
        let mut counted = CountedNode {
            node: node.clone(),
            suppressed: 0,
            limited: 0,
            summary: LossSummary { units: FORBIDDEN, parts: Vec::new() },
            forced: None,
        };
        let may_be_safe = left.settle(GroupFault::Hopeless, left.first(GroupFault::Hopeless));
        let parts = if may_be_safe { charges(&left) } else { Vec::new() };
        counted.forced = Some(ForcedSuppression { records: left.records, limited: left.records, parts });
        let mut is_safe = may_be_safe;
        if may_be_safe && rule.has_shares() {
            left = RemainingKeys::at(self, rule, node)?;
            is_safe = left.judge()?;
        }
        (counted.suppressed, counted.limited) = (left.records, left.records);
        if is_safe {
            counted.summary = loss.summary(node, charges(&left));
        }
        (!self.is_late()).then_some(counted)
    }
}

impl<'p> RemainingKeys<'p> {
    /// All keys; none where too few variables tell something.
    fn at(projections: &'p Projections<'p>, rule: &'p PartsRule, node: &Node) -> Option<Self> {
        let tells = |variable: &usize| projections.table.labels_at(*variable, node.0[*variable]) > 1;
        let telling: Vec<usize> = (0..node.0.len()).filter(tells).collect();
        if telling.len() < rule.known {
            return None;
        }
        let place = |variable: usize| (variable, node.0[variable]);
        let to = |one: usize| if rule.known == 1 { one + 1 } else { telling.len() };
        let choice = |one: usize, other: usize| {
            if projections.is_late() {
                return None;
            }
            let pair = projections.memory.pair(place(telling[one]), place(telling[other]));
            let (people, counts) = (pair.people.clone(), pair.counts.clone()?);
            Some(VariableChoice { variables: (telling[one], telling[other]), pair, people, counts })
        };
        let choices = (0..telling.len()).flat_map(|one| (one..to(one)).map(move |other| choice(one, other)));
        let choices = choices.collect::<Option<Vec<_>>>()?;
        let is_withheld = vec![false; projections.memory.keys.len()];
        Some(Self { projections, rule, choices, is_withheld, withheld: Vec::new(), records: 0 })
    }

    /// Withholds as the rule says; whether no more than may be. None where too few variables are left that tell something.
    fn judge(&mut self) -> Option<bool> {
        let mut next = self.first(GroupFault::Few);
        loop {
            if !self.settle(GroupFault::Few, next) {
                return Some(false);
            }
            let telling: Vec<usize> =
                self.choices.iter().filter(|choice| choice.tells()).map(|one| one.variables.0).collect();
            if telling.len() < self.rule.known {
                return None;
            }
            next = self.likely(&telling);
            if next.is_empty() {
                return Some(true);
            }
        }
    }

    /// The keys that have a fault as long as nothing is withheld.
    fn first(&self, fault: GroupFault) -> Vec<u32> {
        let of_choice = |choice: &VariableChoice| match fault {
            GroupFault::Few => choice.pair.rare.clone(),
            _ => choice.pair.hopeless.clone(),
        };
        self.choices.iter().filter(|choice| self.is_judged(choice)).flat_map(of_choice).collect()
    }

    /// One variable beside another that is known is looked at only to see whether it tells something.
    fn is_judged(&self, choice: &VariableChoice) -> bool {
        self.rule.known == 1 || choice.variables.0 != choice.variables.1
    }

    /// Withholds keys, and those that have a fault without them, until there are none; whether no more than may be.
    fn settle(&mut self, fault: GroupFault, mut next: Vec<u32>) -> bool {
        let most = self.projections.allowance;
        if self.choices.iter().any(|choice| self.is_judged(choice) && choice.pair.records > most) {
            self.records = self.choices.iter().map(|choice| choice.pair.records).max().unwrap_or(0);
            return false;
        }
        loop {
            next.retain(|&key| !std::mem::replace(&mut self.is_withheld[key as usize], true));
            if next.is_empty() {
                return true;
            }
            let sizes = &self.projections.memory.keys.sizes;
            self.records += next.iter().map(|&key| sizes[key as usize]).sum::<u64>();
            self.withheld.extend(&next);
            if self.records > most || self.projections.is_late() {
                return false;
            }
            next = self.without(fault, &next);
        }
    }

    /// Takes keys away from all groups; the keys that have a fault without them.
    fn without(&mut self, fault: GroupFault, keys: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        for place in 0..self.choices.len() {
            let touched = self.take(place, keys);
            let choice = &self.choices[place];
            if self.is_judged(choice) {
                let faulty = touched.into_iter().filter(|&group| is_faulty(self.rule, fault, choice, group)).collect();
                self.collect(choice, faulty, &mut found);
            }
        }
        found
    }

    /// Takes keys away from the groups of a choice; these groups.
    fn take(&mut self, place: usize, keys: &[u32]) -> Vec<usize> {
        let Self { projections, choices, rule, .. } = self;
        let VariableChoice { pair, people, counts, .. } = &mut choices[place];
        let keys_left = &projections.memory.keys;
        let (spread, values) = (keys_left.contents.spread(rule.variable), projections.memory.values());
        let group_of = projections.memory.group_of(pair);
        let (mut touched, mut seen) = (Vec::new(), vec![false; people.len()]);
        for &key in keys {
            let group = group_of(key);
            if !std::mem::replace(&mut seen[group], true) {
                touched.push(group);
            }
            people[group] -= small(keys_left.people()[key as usize]);
            for &(code, count) in spread.in_class(key as usize).iter().filter(|_| values > 0) {
                counts[group * values + code as usize] -= small(count);
            }
        }
        touched
    }

    /// The keys in groups with a value that is too likely, of choices among variables that tell something.
    fn likely(&self, telling: &[usize]) -> Vec<u32> {
        let tells =
            |choice: &&VariableChoice| telling.contains(&choice.variables.0) && telling.contains(&choice.variables.1);
        let mut found = Vec::new();
        for choice in self.choices.iter().filter(tells).filter(|choice| self.is_judged(choice)) {
            let faulty = |group: &usize| is_faulty(self.rule, GroupFault::Likely, choice, *group);
            self.collect(choice, (0..choice.people.len()).filter(faulty).collect(), &mut found);
        }
        found
    }

    /// Finds the keys of some groups that are left.
    fn collect(&self, choice: &VariableChoice, groups: Vec<usize>, found: &mut Vec<u32>) {
        let mut is_meant = vec![false; if groups.is_empty() { 0 } else { choice.people.len() }];
        let mut are_small = true;
        for group in groups {
            if let Some(keys) = choice.pair.keys_of(group) {
                found.extend(keys.iter().filter(|key| !self.is_withheld[**key as usize]));
            } else {
                (is_meant[group], are_small) = (true, false);
            }
        }
        // Who is in a large group is found among all.
        if are_small {
            return;
        }
        let group_of = self.projections.memory.group_of(&choice.pair);
        let left = (0_u32..).zip(&self.is_withheld).filter(|(_, withheld)| !**withheld).map(|(key, _)| key);
        found.extend(left.filter(|&key| is_meant[group_of(key)]));
    }
}

impl VariableChoice {
    /// Whether a single variable tells those who are left apart.
    fn tells(&self) -> bool {
        self.variables.0 == self.variables.1 && self.people.iter().filter(|people| **people > 0).count() > 1
    }
}

/// Whether a group has a fault.
fn is_faulty(rule: &PartsRule, fault: GroupFault, choice: &VariableChoice, group: usize) -> bool {
    let people = u64::from(choice.people[group]);
    let values = choice.counts.len() / choice.people.len().max(1);
    let counts = choice.counts[group * values..][..values].iter().map(|&count| u64::from(count));
    let are_few = fault != GroupFault::Likely && people < rule.least;
    people > 0 && (are_few || fault != GroupFault::Few && rule.has_shares() && rule.refuses(fault, counts))
}
