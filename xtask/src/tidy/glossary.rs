//! The glossary has each word once, and a word for each family.

use super::specs::FAMILIES;
use super::{File, Finding};

/// Compares the words of the glossary with each other and with the families.
pub fn check(files: &[File]) -> Vec<Finding> {
    let Some(file) = files.iter().find(|file| file.path == "GLOSSARY.md") else { return Vec::new() };
    let words: Vec<(usize, &str)> = (1..).zip(file.text().unwrap_or_default().lines()).flat_map(words).collect();
    let first = |word: &str| words.iter().find(|(_, other)| *other == word).map_or(0, |(line, _)| *line);
    let twice = words.iter().enumerate().filter(|(place, (_, word))| words[..*place].iter().any(|(_, w)| w == word));
    let twice = twice.map(|(_, (line, word))| {
        Finding::line(file, *line, format!("`{word}` stands on line {}, too: one word per idea", first(word)))
    });
    let missing = FAMILIES.iter().filter(|family| first(family.word) == 0);
    let missing =
        missing.map(|family| Finding::file(file, format!("`{}` is missing: a family is called so", family.word)));
    twice.chain(missing).collect()
}

/// The words that a row of a table explains: what is bold in its first cell.
fn words((number, line): (usize, &str)) -> impl Iterator<Item = (usize, &str)> {
    let cell = line.strip_prefix("| ").and_then(|row| row.split(" | ").next()).unwrap_or_default();
    cell.split("**").skip(1).step_by(2).map(move |word| (number, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        let file = File { path: "GLOSSARY.md".to_owned(), bytes: text.as_bytes().to_vec() };
        check(&[file]).iter().map(ToString::to_string).collect()
    }

    fn families() -> String {
        FAMILIES.iter().map(|family| ["| **", family.word, "** | an idea |\n"].concat()).collect::<Vec<_>>().concat()
    }

    #[test]
    fn each_word_stands_once() {
        assert_eq!(findings(&families()), [""; 0]);
        let text = format!("| Word | Idea |\n| **a**, **b** of c | **x** |\n| **b** | d |\n{}", families());
        assert_eq!(findings(&text), ["GLOSSARY.md:3: `b` stands on line 2, too: one word per idea"]);
    }

    #[test]
    fn each_family_has_a_word() {
        let text = families().replace("| **loss** |", "| **lost** |");
        assert_eq!(findings(&text), ["GLOSSARY.md: `loss` is missing: a family is called so"]);
    }
}
