//! Why there is no balance, and what would help.

use equanym_core::balance::BalanceError;

use crate::error::Error;

/// Preferences that no table can satisfy, or that this one cannot.
pub(super) fn refused(error: &BalanceError) -> Error {
    let hint = match error {
        BalanceError::Deficit { .. } | BalanceError::Impossible { .. } => {
            "lower a minimum: what a variable shows and what it withholds share its entropy"
        }
        BalanceError::Surplus { .. } | BalanceError::Unused { .. } => {
            "raise a maximum: what a variable does not show it withholds"
        }
        BalanceError::Total { .. } | BalanceError::Endless { .. } => {
            "loosen [preferences.total], or add levels in between to the hierarchies"
        }
        BalanceError::NoLevel { .. } => {
            "loosen the ration, give it as a level, or add a level in between to the hierarchy"
        }
        BalanceError::NoSuchLevel { .. } => "level 0 is the value as collected, the last one is the same for all",
        _ => return Error::input(error.to_string()),
    };
    Error::input(error.to_string()).hint(hint)
}
