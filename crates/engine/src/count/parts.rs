//! What is counted, by the part that it plays: nobody finds a column by its position among others.

/// One thing for each counted column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyParts<T> {
    /// Of the quasi-identifiers, in the order of the data.
    pub quasi: Vec<T>,
    /// Of the variables whose spread over the classes is counted: those that a model looks at come first.
    pub spread: Vec<T>,
    /// Of the column that tells people apart, where one is named.
    pub person: Option<T>,
}

impl<T> KeyParts<T> {
    /// Quasi-identifiers alone.
    #[must_use]
    pub fn of_quasi(quasi: Vec<T>) -> Self {
        Self { quasi, spread: Vec::new(), person: None }
    }

    /// All of them, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.quasi.iter().chain(&self.spread).chain(&self.person)
    }

    /// Other things, which come in the order of [`KeyParts::iter`], by the same parts.
    #[must_use]
    pub fn like<U>(&self, things: impl IntoIterator<Item = U>) -> KeyParts<U> {
        let mut things = things.into_iter();
        let quasi = things.by_ref().take(self.quasi.len()).collect();
        let spread = things.by_ref().take(self.spread.len()).collect();
        KeyParts { quasi, spread, person: self.person.as_ref().and_then(|_| things.next()) }
    }
}

impl KeyParts<usize> {
    /// So many columns of a table, all of them quasi-identifiers.
    #[must_use]
    pub fn first(columns: usize) -> Self {
        Self::of_quasi((0..columns).collect())
    }

    /// The things that stand at these places among all others.
    pub(crate) fn taken_from<'t, T>(&self, all: &'t KeyParts<T>) -> KeyParts<&'t T> {
        let all: Vec<&T> = all.iter().collect();
        self.like(self.iter().filter_map(|&place| all.get(place).copied()))
    }
}

impl<T: Clone> KeyParts<&T> {
    /// The same by themselves.
    pub(crate) fn cloned(&self) -> KeyParts<T> {
        self.like(self.iter().map(|one| (*one).clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::KeyParts;

    #[test]
    fn things_in_a_row_find_their_parts() {
        let parts = KeyParts { quasi: vec!["age", "zip"], spread: vec!["illness"], person: Some("id") };
        let numbered = parts.like(0..);
        assert_eq!(numbered, KeyParts { quasi: vec![0, 1], spread: vec![2], person: Some(3) });
        assert_eq!(KeyParts::of_quasi(vec!["age"]).like([7, 8]), KeyParts::of_quasi(vec![7]));
        assert!(parts.iter().eq(&["age", "zip", "illness", "id"]));
    }
}
