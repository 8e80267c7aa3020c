//! Why a benchmark cannot go on: any error, as it is, for the last line on standard error.

/// Any error.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What a benchmark gives.
pub type Result<T> = std::result::Result<T, Failure>;
