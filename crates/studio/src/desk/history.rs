//! The policies that there were: each change can be undone.

use std::sync::Arc;

use equanym_engine::policy::Policy;

/// The most steps back.
const MOST: usize = 200;

/// A policy as it was at some time.
pub(crate) struct Version {
    /// Its text, which is the truth.
    pub(crate) text: String,
    /// What the text says.
    pub(crate) policy: Policy,
}

/// Policies, one after the other.
#[derive(Default)]
pub(crate) struct History {
    versions: Vec<Arc<Version>>,
    place: usize,
    /// Which control made the last change, while it still moves.
    moving: Option<String>,
}

impl History {
    /// Begins anew.
    pub(crate) fn begin(version: Version) -> Self {
        Self { versions: vec![Arc::new(version)], place: 0, moving: None }
    }

    /// The policy as it is.
    pub(crate) fn now(&self) -> Option<Arc<Version>> {
        self.versions.get(self.place).map(Arc::clone)
    }

    /// A change. What a control passes through while it moves is one step.
    pub(crate) fn put(&mut self, version: Version, moving: Option<&str>) {
        if self.now().is_some_and(|now| now.text == version.text) {
            self.moving = moving.map(str::to_owned);
            return;
        }
        self.versions.truncate(self.place + 1);
        if moving.is_some() && self.moving.as_deref() == moving && self.place > 0 {
            self.versions.pop();
        }
        self.versions.push(Arc::new(version));
        if self.versions.len() > MOST {
            self.versions.remove(0);
        }
        self.place = self.versions.len() - 1;
        self.moving = moving.map(str::to_owned);
    }

    /// A control came to rest.
    pub(crate) fn rest(&mut self) {
        self.moving = None;
    }

    pub(crate) fn can_undo(&self) -> bool {
        self.place > 0
    }

    pub(crate) fn can_redo(&self) -> bool {
        self.place + 1 < self.versions.len()
    }

    pub(crate) fn undo(&mut self) {
        self.place = self.place.saturating_sub(1);
        self.moving = None;
    }

    pub(crate) fn redo(&mut self) {
        if self.can_redo() {
            self.place += 1;
        }
        self.moving = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        let policy = Policy::parse("", &|_| Err(equanym_engine::error::Error::input(""))).unwrap();
        Version { text: text.to_owned(), policy }
    }

    fn text(history: &History) -> String {
        history.now().map(|now| now.text.clone()).unwrap_or_default()
    }

    #[test]
    fn changes_are_undone_and_done_again() {
        let mut history = History::begin(version("a"));
        history.put(version("b"), None);
        history.put(version("c"), None);
        history.undo();
        assert_eq!((text(&history).as_str(), history.can_undo(), history.can_redo()), ("b", true, true));
        history.redo();
        assert_eq!(text(&history), "c");
        history.undo();
        history.put(version("d"), None);
        assert!(!history.can_redo());
        (0..5).for_each(|_| history.undo());
        assert_eq!(text(&history), "a");
    }

    #[test]
    fn a_control_that_moves_makes_one_step() {
        let mut history = History::begin(version("1"));
        for text in ["2", "3", "4"] {
            history.put(version(text), Some("k"));
        }
        history.rest();
        history.put(version("5"), Some("k"));
        assert_eq!(text(&history), "5");
        history.undo();
        assert_eq!(text(&history), "4");
        history.undo();
        assert_eq!(text(&history), "1");
    }
}
