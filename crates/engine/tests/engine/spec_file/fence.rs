//! The fenced blocks of a Markdown page.

use std::fmt;

/// A fenced block.
#[derive(Debug)]
pub struct Block {
    /// The line of its opening fence, counted from 1.
    pub line: usize,
    /// What follows the opening fence.
    pub info: String,
    /// What it holds; each line ends with `\n`.
    pub text: String,
}

/// What is wrong with a page, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Fault {
    pub fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl Block {
    /// Something is wrong with this block.
    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.line, message)
    }
}

/// All blocks in order. A fence is closed by one that is at least as long, so a page can show a block inside another.
pub fn blocks(page: &str) -> Result<Vec<Block>, Fault> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, Block)> = None;
    for (line, text) in (1..).zip(page.lines()) {
        let (ticks, info) = fence(text);
        open = match open {
            None if ticks >= 3 => Some((ticks, Block { line, info: info.to_owned(), text: String::new() })),
            None => None,
            Some((opened, block)) if ticks >= opened && info.is_empty() => {
                blocks.push(block);
                None
            }
            Some((opened, mut block)) => {
                block.text.push_str(text);
                block.text.push('\n');
                Some((opened, block))
            }
        };
    }
    match open {
        Some((_, block)) => Err(block.fault("the block never closes")),
        None => Ok(blocks),
    }
}

/// How many backticks a line starts with, and what follows them.
fn fence(line: &str) -> (usize, &str) {
    let info = line.trim_start_matches('`');
    (line.len() - info.len(), info.trim())
}
