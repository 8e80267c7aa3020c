//! What the tables are called in the other engine.
//!
//! A name may have up to three parts, parted by dots: `schema.table`. Parts are quoted one by one. What no engine could
//! quote is refused: control characters, empty parts, names that an engine would cut.

use serde::Serialize;

use super::dialect::Dialect;
use crate::error::{Error, Result};

/// What is read and what is made.
#[derive(Debug, Clone)]
pub struct Target {
    /// The table that is read.
    pub table: String,
    /// What the release is called.
    pub name: String,
    /// What is made.
    pub form: StatementForm,
}

/// What is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum StatementForm {
    /// A table with the released records.
    #[default]
    Table,
    /// A view, which follows the table and shows its definition, values included, to whoever may read definitions.
    View,
}

/// The most parts of a name.
const PARTS: usize = 3;

impl Target {
    /// Refuses names that the dialect cannot quote.
    pub(crate) fn check(&self, dialect: &Dialect) -> Result<()> {
        for (name, what) in [(&self.table, "table"), (&self.name, "release")] {
            if name.split('.').count() > PARTS {
                return Err(Error::input(format!("the name of the {what} has more than {PARTS} parts")));
            }
            name.split('.').try_for_each(|part| check_name(dialect, part, what))?;
        }
        if self.table == self.name {
            return Err(Error::input("the release and the table have the same name").hint("name it with --name"));
        }
        Ok(())
    }

    /// The statement's first words.
    pub(super) fn create(&self, dialect: &Dialect) -> String {
        let what = match self.form {
            StatementForm::Table => "TABLE",
            StatementForm::View => "VIEW",
        };
        format!("CREATE {what} {} AS", qualified(dialect, &self.name))
    }
}

/// A name with its parts quoted.
pub(super) fn qualified(dialect: &Dialect, name: &str) -> String {
    name.split('.').map(dialect.name).collect::<Vec<_>>().join(".")
}

/// Refuses a name that cannot be quoted.
pub(super) fn check_name(dialect: &Dialect, name: &str, what: &str) -> Result<()> {
    let title = dialect.card.name;
    let shown = name.escape_debug();
    if name.is_empty() || name.contains(char::is_control) {
        return Err(Error::input(format!("{what} `{shown}`: {title} has no way to write this name"))
            .hint("names must not be empty and hold no control characters"));
    }
    if let Some(replaced) = dialect.replaced.filter(|replaced| name.contains(replaced)) {
        return Err(Error::input(format!("{what} `{shown}`: {title} would replace what follows `{replaced}`"))
            .hint("give it another name, in a view for instance"));
    }
    if name.len() > dialect.longest_name {
        let longest = dialect.longest_name;
        return Err(Error::input(format!("{what} `{shown}`: {title} allows names of {longest} bytes"))
            .hint("use shorter names"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::dialect::find;

    #[test]
    fn names_that_spark_would_change_are_refused() {
        let check = |dialect: &str, name: &str| check_name(find(dialect).unwrap(), name, "column").is_ok();
        assert!(!check("spark", "a${env:HOME}") && check("spark", "a$b{c}") && check("postgres", "a${b}"));
    }
}
