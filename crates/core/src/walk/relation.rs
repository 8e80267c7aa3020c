//! Properties as exact relations between unknowns.
//!
//! A property of the policy speaks of values in decimal numbers. Here it becomes relations between the unknowns of segments, in
//! whole numbers: factors are multiplied by a power of ten until none has a fraction. The data must have each relation.

use hashbrown::{HashMap, HashSet};
use serde::{Deserialize, Serialize};

use super::segment::Segment;
use super::{Property, RecordGroups, Relation, Term, TermRecords, WalkColumn, WalkError};
use crate::hierarchy::decimal::Decimal;

/// An unknown: the place of its segment and its place there.
pub(super) type Unknown = (u32, u16);

/// A relation: the sum of factor × unknown is at most the bound, or equal to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct ExactRelation {
    /// Unknowns, each named once, and their factors.
    pub terms: Vec<(Unknown, i128)>,
    pub bound: i128,
    pub is_equation: bool,
}

impl ExactRelation {
    /// How far the relation is from being broken; `None` when the sum is too large.
    pub(super) fn slack(&self, value: impl Fn(Unknown) -> i128) -> Option<i128> {
        let sum =
            |sum: i128, (unknown, factor): &(Unknown, i128)| sum.checked_add(factor.checked_mul(value(*unknown))?);
        self.bound.checked_sub(self.terms.iter().try_fold(0, sum)?)
    }

    /// Whether a slack of this size keeps the relation.
    pub(super) fn allows(&self, slack: i128) -> bool {
        if self.is_equation { slack == 0 } else { slack >= 0 }
    }
}

/// The relations of all properties, each once.
pub(super) fn expand(
    properties: &[Property],
    columns: &[WalkColumn],
    segments: &[Segment],
) -> Result<Vec<ExactRelation>, WalkError> {
    let Some(records) = columns.first().map(|column| column.values.len()) else { return Ok(Vec::new()) };
    if properties.is_empty() {
        return Ok(Vec::new());
    }
    let places = places(segments, columns.len(), records);
    let mut relations = Vec::new();
    let mut seen = HashSet::new();
    for (number, property) in (1..).zip(properties) {
        let expander = RelationExpander { number, columns, segments, places: &places, records };
        let mut broken = 0;
        for (relation, slack) in expander.expand(property)? {
            broken += usize::from(!relation.allows(slack));
            if seen.insert(relation.clone()) {
                relations.push(relation);
            }
        }
        if broken > 0 {
            return Err(WalkError::Contradictory { property: number, count: broken });
        }
    }
    Ok(relations)
}

/// For each column and record its unknown, if it is not missing.
fn places(segments: &[Segment], columns: usize, records: usize) -> Vec<Vec<Option<Unknown>>> {
    let mut places = vec![vec![None; records]; columns];
    for (number, segment) in (0..).zip(segments) {
        for &(record, place) in &segment.records {
            places[segment.column][record as usize] = Some((number, place));
        }
    }
    places
}

/// The group of each record, and how many groups there are.
type GroupNumbers<'p> = (&'p [Option<u32>], usize);

struct RelationExpander<'a> {
    number: usize,
    columns: &'a [WalkColumn],
    segments: &'a [Segment],
    places: &'a [Vec<Option<Unknown>>],
    records: usize,
}

impl RelationExpander<'_> {
    /// The relations of a property, each with its slack in the data.
    fn expand(&self, property: &Property) -> Result<Vec<(ExactRelation, i128)>, WalkError> {
        let is_each = |term: &Term| term.records == TermRecords::Each;
        if property.terms.is_empty() {
            return Err(self.bad("no cells"));
        }
        if property.terms.iter().any(|term| term.column >= self.columns.len()) {
            return Err(self.bad("a column that is not walked"));
        }
        let (factors, constant) = self.whole_factors(property)?;
        if property.terms.iter().all(is_each) {
            return self.of_records(property, &factors, constant);
        }
        if property.terms.iter().any(is_each) {
            return Err(self.bad("cells of each record beside cells of certain records"));
        }
        if property.is_mean && property.terms.len() > 1 {
            return Err(self.bad("a mean of several columns"));
        }
        let groups = self.groups(property)?;
        let mut sums: Vec<Vec<(Unknown, i128)>> = vec![Vec::new(); groups.as_ref().map_or(1, |(_, count)| *count)];
        for (term, factor) in property.terms.iter().zip(&factors) {
            for (record, unknown) in self.unknowns(term)? {
                let group = groups.as_ref().map_or(Some(0), |(of, _)| of[record].map(|group| group as usize));
                if let Some(sum) = group.and_then(|group| sums.get_mut(group)) {
                    sum.push((unknown, *factor));
                }
            }
        }
        sums.retain(|cells| groups.is_none() || !cells.is_empty());
        let relations =
            sums.iter().map(|cells| self.relation(property, cells, constant)).collect::<Result<Vec<_>, _>>()?;
        if groups.is_some() {
            self.refuse_fixed(&relations)?;
        }
        Ok(relations)
    }

    /// The group of each record, and how many groups there are.
    fn groups<'p>(&self, property: &'p Property) -> Result<Option<GroupNumbers<'p>>, WalkError> {
        let Some(RecordGroups(groups)) = &property.groups else { return Ok(None) };
        if groups.len() != self.records {
            return Err(self.bad("groups of other records"));
        }
        if property.terms.iter().any(|term| matches!(term.records, TermRecords::Listed(_))) {
            return Err(self.bad("certain records beside groups of records"));
        }
        let count = groups.iter().flatten().max().map_or(0, |last| *last as usize + 1);
        if count > self.records {
            return Err(self.bad("more groups than records"));
        }
        Ok(Some((groups, count)))
    }

    /// A sum of one unknown that must stay what it is would publish it.
    fn refuse_fixed(&self, relations: &[(ExactRelation, i128)]) -> Result<(), WalkError> {
        let is_fixed = |(relation, _): &&(ExactRelation, i128)| relation.is_equation && relation.terms.len() == 1;
        match relations.iter().filter(is_fixed).count() {
            0 => Ok(()),
            count => Err(WalkError::FixesValues { property: self.number, count, groups: relations.len() }),
        }
    }

    /// One relation for each record in which no value is missing.
    fn of_records(
        &self,
        property: &Property,
        factors: &[i128],
        constant: Option<i128>,
    ) -> Result<Vec<(ExactRelation, i128)>, WalkError> {
        let groups = self.groups(property)?;
        let unknown = |record: usize, term: &Term| self.places[term.column][record];
        let is_meant = |record: &usize| groups.is_none_or(|(of, _)| of[*record].is_some());
        let of_record = |record: usize| {
            let unknowns: Option<Vec<Unknown>> = property.terms.iter().map(|term| unknown(record, term)).collect();
            let terms: Vec<(Unknown, i128)> = unknowns?.into_iter().zip(factors.iter().copied()).collect();
            Some(self.relation(property, &terms, constant))
        };
        (0..self.records).filter(is_meant).filter_map(of_record).collect()
    }

    /// The factors and the constant as whole numbers of the same unit.
    fn whole_factors(&self, property: &Property) -> Result<(Vec<i128>, Option<i128>), WalkError> {
        let digits = |term: &Term| term.factor.scale() + self.columns[term.column].places;
        let constant_digits = property.constant.map_or(0, Decimal::scale);
        let most = property.terms.iter().map(digits).max().unwrap_or(0).max(constant_digits);
        let too_large = || self.too_large();
        let factor = |term: &Term| term.factor.at(most - self.columns[term.column].places).ok_or_else(too_large);
        let factors = property.terms.iter().map(factor).collect::<Result<_, _>>()?;
        let constant = property.constant.map(|constant| constant.at(most).ok_or_else(too_large)).transpose()?;
        Ok((factors, constant))
    }

    /// The records of a term, counted from 0, and their unknowns.
    fn unknowns(&self, term: &Term) -> Result<Vec<(usize, Unknown)>, WalkError> {
        let column = &self.places[term.column];
        let TermRecords::Listed(records) = &term.records else {
            let present = column.iter().enumerate().filter_map(|(record, unknown)| Some((record, (*unknown)?)));
            return Ok(present.collect());
        };
        let cell = |record: &usize| {
            let cell = record.checked_sub(1).and_then(|place| Some((place, *column.get(place)?)));
            let (place, unknown) = cell.ok_or_else(|| self.bad("a record that does not exist"))?;
            Ok((place, unknown.ok_or_else(|| self.bad("a missing value"))?))
        };
        records.iter().map(cell).collect()
    }

    /// A relation between cells, with its slack in the data.
    fn relation(
        &self,
        property: &Property,
        cells: &[(Unknown, i128)],
        constant: Option<i128>,
    ) -> Result<(ExactRelation, i128), WalkError> {
        let sign = if property.relation == Relation::AtLeast { -1 } else { 1 };
        let mut sums: HashMap<Unknown, i128> = HashMap::new();
        for &(unknown, factor) in cells {
            let sum = sums.entry(unknown).or_default();
            *sum =
                factor.checked_mul(sign).and_then(|factor| sum.checked_add(factor)).ok_or_else(|| self.too_large())?;
        }
        let mut terms: Vec<(Unknown, i128)> = sums.into_iter().filter(|(_, factor)| *factor != 0).collect();
        terms.sort_unstable();
        let mut relation = ExactRelation { terms, bound: 0, is_equation: property.relation == Relation::Equal };
        self.check_room(&relation.terms)?;
        let slack = relation.slack(|(segment, place)| self.segments[segment as usize].values[usize::from(place)]);
        let sum = slack.and_then(i128::checked_neg).ok_or_else(|| self.too_large())?;
        relation.bound = match constant {
            Some(constant) => {
                let times = if property.is_mean { cells.len() as i128 } else { 1 };
                constant.checked_mul(sign * times).ok_or_else(|| self.too_large())?
            }
            None => sum,
        };
        let slack = relation.bound.checked_sub(sum).ok_or_else(|| self.too_large())?;
        Ok((relation, slack))
    }

    /// Refuses factors with which sums over the domain would not be exact.
    fn check_room(&self, terms: &[(Unknown, i128)]) -> Result<(), WalkError> {
        let most = |segment: u32| {
            let (low, high) = self.segments[segment as usize].ends();
            low.unsigned_abs().max(high.unsigned_abs())
        };
        let add = |sum: u128, ((segment, _), factor): &(Unknown, i128)| {
            sum.checked_add(factor.unsigned_abs().checked_mul(most(*segment))?)
        };
        let sum = terms.iter().try_fold(0_u128, add);
        if sum.is_some_and(|sum| sum < 1 << 124) { Ok(()) } else { Err(self.too_large()) }
    }

    fn bad(&self, what: &'static str) -> WalkError {
        WalkError::BadProperty { property: self.number, what }
    }

    fn too_large(&self) -> WalkError {
        WalkError::TooLarge { what: format!("the digits of property {}", self.number), limit: 38 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RecordPair, WalkSettings, segment};
    use super::*;

    fn expand_on(cells: &[&[&str]], properties: &[Property]) -> Result<Vec<ExactRelation>, WalkError> {
        let columns: Vec<WalkColumn> =
            cells.iter().map(|cells| WalkColumn::parse("x", cells.iter().copied(), None).unwrap()).collect();
        let settings = WalkSettings::default();
        let segments: Vec<Segment> =
            columns.iter().enumerate().flat_map(|(place, column)| segment::cut(place, column, &settings)).collect();
        expand(properties, &columns, &segments)
    }

    fn decimal(text: &str) -> Option<Decimal> {
        Decimal::parse(text)
    }

    #[test]
    fn columns_of_different_digits_meet_in_one_unit() {
        let property = Property::columns(0, 1);
        let relations = expand_on(&[&["1", "2", "3"], &["1.5", "2.25", "9"]], &[property]).unwrap();
        assert_eq!(relations.len(), 3);
        assert_eq!(relations[0].terms, [((0, 0), 100), ((1, 0), -1)]);
    }

    #[test]
    fn relations_of_equal_records_are_kept_once() {
        let property = Property::columns(0, 1);
        let relations = expand_on(&[&["1", "1", "3"], &["2", "2", ""]], &[property]).unwrap();
        assert_eq!(relations.len(), 1);
    }

    #[test]
    fn a_sum_of_all_cells_counts_equal_ones_as_often_as_they_are() {
        let property = Property::sum(0, TermRecords::All, Relation::Equal, None);
        let relations = expand_on(&[&["1", "1", "3", ""]], &[property]).unwrap();
        assert_eq!(relations, [ExactRelation { terms: vec![((0, 0), 2), ((0, 1), 1)], bound: 5, is_equation: true }]);
    }

    #[test]
    fn what_the_data_do_not_have_is_refused() {
        let check = |property: Property| expand_on(&[&["1", "5", "3", ""]], &[property]).unwrap_err();
        let too_small = Property::sum(0, TermRecords::Listed(vec![1, 2]), Relation::AtMost, decimal("5.5"));
        assert_eq!(check(too_small), WalkError::Contradictory { property: 1, count: 1 });
        let too_far =
            Property::difference(RecordPair { column: 0, record: 2, other: 1 }, Relation::AtLeast, decimal("4.5"));
        assert_eq!(check(too_far), WalkError::Contradictory { property: 1, count: 1 });
        let ratio =
            Property::ratio(RecordPair { column: 0, record: 2, other: 3 }, Relation::AtMost, decimal("1.6").unwrap());
        assert_eq!(check(ratio), WalkError::Contradictory { property: 1, count: 1 });
        let falling = check(Property::increasing(0, &[1, 2, 3])[1].clone());
        assert!(matches!(falling, WalkError::Contradictory { .. }) && !falling.to_string().contains('5'));
        for record in [0, 4, 9] {
            let nobody = Property::sum(0, TermRecords::Listed(vec![record]), Relation::AtMost, None);
            assert!(matches!(check(nobody), WalkError::BadProperty { property: 1, .. }), "{record}");
        }
        let elsewhere = Property::sum(1, TermRecords::All, Relation::AtMost, None);
        assert!(matches!(check(elsewhere), WalkError::BadProperty { .. }));
    }

    #[test]
    fn what_they_have_is_taken() {
        let one = decimal("1.7").unwrap();
        let properties = [
            Property::sum(0, TermRecords::Listed(vec![1, 2]), Relation::AtMost, decimal("6")),
            Property::difference(RecordPair { column: 0, record: 2, other: 1 }, Relation::AtLeast, decimal("3.5")),
            Property::ratio(RecordPair { column: 0, record: 2, other: 3 }, Relation::AtMost, one),
        ];
        let relations = expand_on(&[&["1", "5", "3"]], &properties).unwrap();
        let value = |(_, place): Unknown| [1, 3, 5][usize::from(place)];
        assert_eq!(relations.iter().map(|one| one.slack(value)).collect::<Vec<_>>(), [Some(0), Some(5), Some(1)]);
    }
}
