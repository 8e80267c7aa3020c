//! Why there is no balance, with the numbers that would have to change.

/// Why there is no balance.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BalanceError {
    /// A weight is negative or no number.
    #[error("`{name}` must be a finite number that is not negative; found {found}")]
    Weight {
        /// Its name.
        name: &'static str,
        /// What was given.
        found: f64,
    },
    /// Neither utility nor privacy is worth anything.
    #[error("`alpha` and `beta` must not both be 0")]
    NoPreference,
    /// Points are negative or no numbers.
    #[error("the {whose} points of `{variable}` must be a finite number that is not negative; found {found}")]
    Point {
        /// The user's or the intruder's.
        whose: &'static str,
        /// The variable.
        variable: String,
        /// What was given.
        found: f64,
    },
    /// The points are not 100.
    #[error("the {whose} points must sum to 100; they sum to {sum}")]
    Points {
        /// The user's or the intruder's.
        whose: &'static str,
        /// Their sum.
        sum: f64,
    },
    /// Entropies are negative or no numbers, or there are none.
    #[error("the entropies of `{variable}` are no entropies")]
    Entropy {
        /// The variable.
        variable: String,
    },
    /// A ration names a level that is not there.
    #[error("the ration of `{variable}` names level {level}, and its last level is {last}")]
    NoSuchLevel {
        /// The variable.
        variable: String,
        /// The level.
        level: u8,
        /// The last one.
        last: usize,
    },
    /// A ration is negative or no number.
    #[error("the ration of `{variable}` must be a finite amount that is not negative; found {found}")]
    Amount {
        /// The variable.
        variable: String,
        /// What was given.
        found: f64,
    },
    /// A good must be at least more than it may be at most.
    #[error("the ration of `{variable}` asks for {good} of at least {least} and at most {most}")]
    Crossed {
        /// The variable.
        variable: String,
        /// Utility or protection.
        good: &'static str,
        /// The lower bound.
        least: f64,
        /// The upper bound.
        most: f64,
    },
    /// All minimum rations together cost more than there is.
    #[error("the rations cost {needed:.4} and the income is {income:.4}: the deficit is {:.4}", needed - income)]
    Deficit {
        /// What they cost.
        needed: f64,
        /// What there is.
        income: f64,
    },
    /// All goods together may cost at most less than there is.
    #[error("the rations allow to spend {most:.4} at most and the income is {income:.4}: {:.4} is left", income - most)]
    Surplus {
        /// What they allow.
        most: f64,
        /// What there is.
        income: f64,
    },
    /// The minimum rations of a variable need more entropy than it has.
    #[error(
        "the rations of `{variable}` need {needed:.4} of its entropy, and it has {entropy:.4}: the deficit is {:.4}",
        needed - entropy
    )]
    Impossible {
        /// The variable.
        variable: String,
        /// What they need.
        needed: f64,
        /// What it has.
        entropy: f64,
    },
    /// The maximum rations of a variable leave entropy that is neither shown nor withheld.
    #[error(
        "the rations of `{variable}` allow {most:.4} of its entropy at most, and it has {entropy:.4}: {:.4} is left",
        entropy - most
    )]
    Unused {
        /// The variable.
        variable: String,
        /// What they allow.
        most: f64,
        /// What it has.
        entropy: f64,
    },
    /// A ration of all variables together names a level.
    #[error("the ration of all variables together must be an amount; it names level {level}")]
    LevelOfAll {
        /// The level.
        level: u8,
    },
    /// A ration of all variables together cannot be met.
    #[error(
        "all variables together cannot meet their ration: the nearest misses {good} by {:.4} ({found:.4} of {wanted:.4})",
        (wanted - found).abs()
    )]
    Total {
        /// Utility or protection.
        good: &'static str,
        /// What the nearest has.
        found: f64,
        /// The bound that it misses.
        wanted: f64,
    },
    /// A ration of all variables together was not met by any of many nodes.
    #[error("none of the {looked_at} best combinations of levels meets the ration of all variables together")]
    Endless {
        /// How many were looked at.
        looked_at: u64,
    },
    /// Variables with new values share their level, and none meets the rations of all of them.
    #[error("no level of the variables that get new values meets the rations of all of them")]
    NoSharedLevel,
    /// The rations could be met, but no level does.
    #[error(
        "no level of `{variable}` meets its ration: the nearest misses {good} by {:.4} ({found:.4} of {wanted:.4})",
        (wanted - found).abs()
    )]
    NoLevel {
        /// The variable.
        variable: String,
        /// Utility or protection.
        good: &'static str,
        /// What the level that misses least has.
        found: f64,
        /// The bound that it misses.
        wanted: f64,
    },
}
