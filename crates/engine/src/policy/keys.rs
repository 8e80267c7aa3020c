//! The keys of a policy: which tables have which, what each takes and what it means.
//!
//! Whoever reads a table allows the keys of its [`Section`] and no other. The reference (`docs/policy.md`) and the schema for
//! editors are made from the same lists, so neither leaves out a key that can be read. What members of families take stands on
//! their cards.

use equanym_core::card::{Card, Kind};

/// A table of a policy.
pub(super) struct Section {
    /// How it is written: `[data]`.
    pub place: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Its keys.
    pub keys: &'static [PolicyKey],
    /// Keys that the members of a family bring.
    pub more: fn() -> Vec<PolicyKey>,
    /// The keys that name a member, whose parameters stand beside them.
    pub members: &'static [Members],
}

/// A key that names a member of a family.
pub(super) struct Members {
    /// The key.
    pub key: &'static str,
    /// The family.
    pub cards: fn() -> Vec<&'static Card>,
}

/// A key of a table.
pub(super) struct PolicyKey {
    pub name: &'static str,
    pub takes: KeyShape,
    /// What holds where it is absent; empty where it must be given, or where nothing does.
    pub default: &'static str,
    /// One line.
    pub meaning: &'static str,
}

/// What a key takes.
#[derive(Clone, Copy)]
pub(super) enum KeyShape {
    Text,
    Flag,
    /// A whole number of at least this.
    Whole(i64),
    /// A number.
    Number,
    /// A number that is not negative.
    Amount,
    /// A number from 0 to 1.
    Share,
    /// One of some words.
    Words(fn() -> Vec<&'static str>),
    /// What a parameter of a card takes.
    Parameter(Kind),
    List(&'static Self),
    Table(&'static Section),
    /// A table whose keys are names that the policy chooses.
    Named(&'static Self),
    Either(&'static [Self]),
}

/// A setting that a policy chooses by a word.
pub(super) trait Word: Copy + Default + 'static {
    /// Every setting with its word.
    const WORDS: &'static [(&'static str, Self)];
}

/// What a key takes that chooses such a setting.
pub(super) const fn word_of<W: Word>() -> KeyShape {
    KeyShape::Words(|| W::WORDS.iter().map(|(word, _)| *word).collect())
}

impl Section {
    /// A section whose keys are all its own.
    pub(super) const fn new(place: &'static str, about: &'static str, keys: &'static [PolicyKey]) -> Self {
        Self { place, about, keys, more: Vec::new, members: &[] }
    }

    /// The names of its keys; parameters of members stand on their cards.
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).chain((self.more)().iter().map(|key| key.name)).collect()
    }
}

/// A key that says nothing where it is absent.
pub(super) const fn key(name: &'static str, takes: KeyShape, meaning: &'static str) -> PolicyKey {
    PolicyKey { name, takes, default: "", meaning }
}

impl PolicyKey {
    /// The same key, with what holds where it is absent.
    pub(super) const fn usually(mut self, default: &'static str) -> Self {
        self.default = default;
        self
    }
}

impl KeyShape {
    /// What fits, in words.
    pub(super) fn wanted(&self) -> String {
        match self {
            Self::Text => "a text".to_owned(),
            Self::Flag => "`true` or `false`".to_owned(),
            Self::Whole(least) => format!("a whole number of at least {least}"),
            Self::Number => "a number".to_owned(),
            Self::Amount => "a number of at least 0".to_owned(),
            Self::Share => "a number from 0 to 1".to_owned(),
            Self::Words(words) => quoted(&words()),
            Self::Parameter(Kind::Choice(words)) => quoted(words),
            Self::Parameter(Kind::WithChoice { parameter, word, kind }) => {
                format!("{}; goes with `{parameter} = \"{word}\"`", Self::Parameter(**kind).wanted())
            }
            Self::Parameter(Kind::Optional(kind)) => format!("{}; may be left out", Self::Parameter(**kind).wanted()),
            Self::Parameter(Kind::WithParameter { parameter, kind }) => {
                format!("{}; goes with `{parameter}`", Self::Parameter(**kind).wanted())
            }
            Self::Parameter(kind) => kind.wanted(),
            Self::List(one) => format!("a list, each {}", one.wanted()),
            Self::Table(section) => format!("a table, see `{}`", section.place),
            Self::Named(one) => format!("a table of names, each {}", one.wanted()),
            Self::Either(some) => some.iter().map(Self::wanted).collect::<Vec<_>>().join(", or "),
        }
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ")
}
