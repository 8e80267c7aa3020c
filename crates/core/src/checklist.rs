//! What to look at before a release is handed over, as data; nothing here renders.
//!
//! A checklist is made of lines. Each belongs to one [`Check`] of a closed list and says `ok`, `look` or `stop`, with numbers.
//! `look` asks the owner to think about a column; `stop` asks them not to hand the release over before it is changed.
//! Neither changes what is guaranteed: a privacy model that fails is an error and no line.
//!
//! Lines name columns and counts, never values, so they may be kept in logs. They are computed from values that are not
//! released, so they stay with the owner.

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

/// What is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// Whether anything is guaranteed.
    Guarantee,
    /// People against records.
    People,
    /// An identifying column that repeats where no person is named.
    RepeatedId,
    /// A column released as collected that tells nearly every record apart.
    NearUnique,
    /// Running text released as collected.
    FreeText,
    /// Addresses of e-mail released as collected.
    EMail,
    /// Telephone numbers released as collected.
    Phone,
    /// Dates released as collected.
    Date,
    /// Words of identifying columns in what is released as collected.
    Names,
    /// Values of few people released as collected.
    RareValues,
    /// Sensitive columns that no model looks at.
    Unguarded,
    /// The greatest share of one sensitive value in a class.
    Skew,
    /// Sensitive columns that follow from a quasi-identifier.
    Dependence,
    /// What the choice of levels tells about sensitive values.
    Minimality,
    /// Values that differ only in spelling.
    Spelling,
    /// Values that look like words for missing.
    MissingWords,
    /// Codes that may have lost their zeros in front.
    EatenZeros,
    /// Columns that tell nobody apart.
    Constant,
    /// Ladders that may not mean what they say.
    Hierarchy,
    /// Columns that ended at the top, and what would buy detail back.
    Detail,
    /// Who was withheld, by sex and age.
    Withheld,
    /// Tokens that show which records belong together.
    LinkedRecords,
    /// What treatments of single cells leave open.
    Treatments,
    /// What is open where values are new.
    NewValues,
    /// What is open where each class has labels of its own.
    LocalRecoding,
    /// The order of the released rows.
    Order,
    /// How the table was read.
    Reading,
    /// What a comparison with earlier releases cannot see.
    EarlierReleases,
}

impl Check {
    /// Every check, by its name: the closed list.
    pub const ALL: [(Self, &'static str); 28] = [
        (Self::Guarantee, "guarantee"),
        (Self::People, "people"),
        (Self::RepeatedId, "repeated-id"),
        (Self::NearUnique, "near-unique"),
        (Self::FreeText, "free-text"),
        (Self::EMail, "e-mail"),
        (Self::Phone, "phone"),
        (Self::Date, "date"),
        (Self::Names, "names"),
        (Self::RareValues, "rare-values"),
        (Self::Unguarded, "unguarded"),
        (Self::Skew, "skew"),
        (Self::Dependence, "dependence"),
        (Self::Minimality, "minimality"),
        (Self::Spelling, "spelling"),
        (Self::MissingWords, "missing-words"),
        (Self::EatenZeros, "eaten-zeros"),
        (Self::Constant, "constant"),
        (Self::Hierarchy, "hierarchy"),
        (Self::Detail, "detail"),
        (Self::Withheld, "withheld"),
        (Self::LinkedRecords, "linked-records"),
        (Self::Treatments, "treatments"),
        (Self::NewValues, "new-values"),
        (Self::LocalRecoding, "local-recoding"),
        (Self::Order, "order"),
        (Self::Reading, "reading"),
        (Self::EarlierReleases, "earlier-releases"),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(check, _)| *check == self).map_or("", |(_, name)| name)
    }

    /// The check of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, one)| *one == name).map(|(check, _)| *check)
    }
}

/// What a line asks of the owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Advice {
    /// Nothing.
    Ok,
    /// To look and decide.
    Look,
    /// Not to hand the release over as it is.
    Stop,
}

impl Advice {
    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Look => "look",
            Self::Stop => "stop",
        }
    }
}

/// A number of a line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ChecklistNumber {
    /// A count.
    Count(u64),
    /// A share, 0 to 1.
    Share(f64),
    /// One of our own words: which group is counted.
    Word(&'static str),
}

/// A line of the checklist.
#[derive(Debug, Clone, PartialEq)]
pub struct ChecklistLine {
    /// What was checked.
    pub check: Check,
    /// What it asks for.
    pub advice: Advice,
    /// The column it is about, where it is about one.
    pub column: Option<String>,
    /// The same in words, without a value of the data.
    pub message: String,
    /// The numbers behind the words, by name.
    pub numbers: Vec<(&'static str, ChecklistNumber)>,
}

impl ChecklistLine {
    /// A line about no column in particular.
    #[must_use]
    pub fn new(check: Check, advice: Advice, message: impl Into<String>) -> Self {
        Self { check, advice, column: None, message: message.into(), numbers: Vec::new() }
    }

    /// A line that asks for nothing.
    #[must_use]
    pub fn ok(check: Check, message: impl Into<String>) -> Self {
        Self::new(check, Advice::Ok, message)
    }

    /// A line that asks the owner to look.
    #[must_use]
    pub fn look(check: Check, message: impl Into<String>) -> Self {
        Self::new(check, Advice::Look, message)
    }

    /// A line that asks not to hand over.
    #[must_use]
    pub fn stop(check: Check, message: impl Into<String>) -> Self {
        Self::new(check, Advice::Stop, message)
    }

    /// The same about a column.
    #[must_use]
    pub fn in_column(self, column: &str) -> Self {
        Self { column: Some(column.to_owned()), ..self }
    }

    /// The same with a count.
    #[must_use]
    pub fn count(self, name: &'static str, count: u64) -> Self {
        self.number(name, ChecklistNumber::Count(count))
    }

    /// The same with a share.
    #[must_use]
    pub fn share(self, name: &'static str, share: f64) -> Self {
        self.number(name, ChecklistNumber::Share(share))
    }

    /// The same with a number.
    #[must_use]
    pub fn number(mut self, name: &'static str, number: ChecklistNumber) -> Self {
        self.numbers.push((name, number));
        self
    }
}

impl Serialize for ChecklistLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("check", self.check.name())?;
        map.serialize_entry("verdict", &self.advice)?;
        if let Some(column) = &self.column {
            map.serialize_entry("column", column)?;
        }
        map.serialize_entry("message", &self.message)?;
        for (name, number) in &self.numbers {
            map.serialize_entry(name, number)?;
        }
        map.end()
    }
}

/// All lines, in the order of the checks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checklist(Vec<ChecklistLine>);

impl Checklist {
    /// Takes lines.
    pub fn extend(&mut self, lines: impl IntoIterator<Item = ChecklistLine>) {
        self.0.extend(lines);
        // Stable: lines of a check stay in the order in which they came.
        self.0.sort_by_key(|line| line.check);
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &[ChecklistLine] {
        &self.0
    }

    /// The messages of the lines that ask for something.
    #[must_use]
    pub fn warnings(&self) -> Vec<&str> {
        self.0.iter().filter(|line| line.advice != Advice::Ok).map(|line| line.message.as_str()).collect()
    }
}

impl FromIterator<ChecklistLine> for Checklist {
    fn from_iter<T: IntoIterator<Item = ChecklistLine>>(lines: T) -> Self {
        let mut checklist = Self::default();
        checklist.extend(lines);
        checklist
    }
}

/// As two keys of what it is part of: all lines, and the messages of those that ask for something.
impl Serialize for Checklist {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("checklist", &self.0)?;
        map.serialize_entry("warnings", &self.warnings())?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = Check::ALL.iter().map(|(_, name)| name).collect();
        assert_eq!(names.len(), Check::ALL.len());
        assert!(Check::ALL.iter().all(|(check, name)| check.name() == *name));
    }

    #[test]
    fn lines_come_in_the_order_of_the_checks() {
        let mut checklist: Checklist =
            [ChecklistLine::look(Check::Skew, "b"), ChecklistLine::ok(Check::People, "a")].into_iter().collect();
        checklist.extend([ChecklistLine::stop(Check::FreeText, "c"), ChecklistLine::look(Check::Skew, "d")]);
        let found: Vec<&str> = checklist.lines().iter().map(|line| line.message.as_str()).collect();
        assert_eq!((found, checklist.warnings()), (vec!["a", "c", "b", "d"], vec!["c", "b", "d"]));
    }
}
