//! The setting of a walk that is turned to reach a distortion.
//!
//! A wider margin distorts more. A longer walk distorts more until it has mixed. Fewer localities distort more where the walk is too
//! short to mix, and hardly otherwise.

use crate::card::text;
use crate::method::goal::Dial;
use crate::method::values::ValueTask;
use crate::walk::{Sweeps, WalkDomain, WalkError, WalkSettings};

/// The setting that is turned to reach a distortion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DialSetting {
    Margin,
    Theta,
    Sweeps,
}

impl DialSetting {
    pub(super) fn read(task: &ValueTask<'_>, settings: &WalkSettings) -> Result<Self, WalkError> {
        let unfit = |wanted: &str| Err(WalkError::BadSetting { setting: "distortion_by", wanted: wanted.to_owned() });
        match text(task.parameters, "distortion_by") {
            "theta" => Ok(Self::Theta),
            "sweeps" => Ok(Self::Sweeps),
            _ if settings.domain == WalkDomain::Column => {
                unfit("theta or sweeps: the domain is the column, without a margin")
            }
            _ if task.columns.iter().all(|column| column.bounds.is_some()) => {
                unfit("theta or sweeps: every variable has a domain of its own, without a margin")
            }
            _ => Ok(Self::Margin),
        }
    }

    pub(super) fn at(self, settings: &WalkSettings, turn: f64) -> WalkSettings {
        let settings = settings.clone();
        match self {
            Self::Margin => WalkSettings { domain: WalkDomain::Segment { margin: turn }, ..settings },
            Self::Theta => WalkSettings { theta: turn, ..settings },
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a whole number of the dial
            Self::Sweeps => WalkSettings { sweeps: Sweeps::Fixed(turn as u32), ..settings },
        }
    }

    pub(super) fn dial(self) -> Dial {
        let turns: &[f64] = match self {
            Self::Margin => &[0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0],
            Self::Theta => &[1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.0],
            Self::Sweeps => &[
                1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0,
                32768.0, 65536.0, 131_072.0,
            ],
        };
        Dial { turns, whole: self == Self::Sweeps }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Margin => "margin",
            Self::Theta => "theta",
            Self::Sweeps => "sweeps",
        }
    }

    pub(super) fn fact(self) -> &'static str {
        match self {
            Self::Margin => "margin that was found",
            Self::Theta => "theta that was found",
            Self::Sweeps => "sweeps that were found",
        }
    }
}
