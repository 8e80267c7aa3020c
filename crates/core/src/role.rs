//! The role of a column.
//!
//! Whoever releases a table says of each column what an intruder could do with it: a column that nobody spoke of is
//! never released. The names are those that users of ARX and sdcMicro know.

use serde::{Deserialize, Serialize};

/// What a column may give away, and so what happens to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Names a person by itself; never released.
    Identifying,
    /// Names a person by itself; a keyed token is released in its place.
    Pseudonym,
    /// Names a person together with others; generalised.
    QuasiIdentifying,
    /// What nobody may learn about a known person; released as it is, guarded by the privacy models.
    Sensitive,
    /// Says nothing about who a person is; released as it is.
    Insensitive,
}

impl Role {
    /// Every role, in the order of danger.
    pub const ALL: [Self; 5] =
        [Self::Identifying, Self::Pseudonym, Self::QuasiIdentifying, Self::Sensitive, Self::Insensitive];

    /// The word used in policies.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Identifying => "identifying",
            Self::Pseudonym => "pseudonym",
            Self::QuasiIdentifying => "quasi-identifying",
            Self::Sensitive => "sensitive",
            Self::Insensitive => "insensitive",
        }
    }
}
