//! ARCHITECTURE says where things are and where to add what, and the code agrees.
//!
//! The table under "Where to add what" names for each family the files that a new member takes, and members that show it. The
//! code outside tests names such a member in these files and in no other. So a family whose members cost more than the table
//! says is found by the first of them, and so is a table that promises too little.
//!
//! A row: what is added | files, with `{}` for the member's name | files that offer it, or – | members. A member is a word of
//! the command line, which is searched as `k-map`, `k_map` and `KMap`; or ``name` as `A::B`, `c::d``, which is searched as
//! these. Its own file need not name it.

use std::collections::BTreeSet;

use super::{File, Finding};
use crate::source::Source;

/// The page with the table.
pub const PAGE: &str = "ARCHITECTURE.md";

/// The pages whose files exist.
const PAGES: [&str; 2] = [PAGE, "CONTRIBUTING.md"];
const HEADING: &str = "## Where to add what";

/// Compares the pages with the code.
pub fn check(files: &[File]) -> Vec<Finding> {
    let pages = files.iter().filter(|file| PAGES.contains(&file.path.as_str()));
    pages.flat_map(|page| missing_files(page, files)).chain(check_table(files)).collect()
}

/// Files and folders below `crates` that a page names and nobody has.
fn missing_files(page: &File, files: &[File]) -> Vec<Finding> {
    let named = |(line, text): (usize, &'_ str)| -> Vec<(usize, String)> {
        quoted(text)
            .into_iter()
            .map(|path| (line, path.trim_start_matches("crates/").trim_end_matches('/').to_owned()))
            .collect()
    };
    let named = (1..).zip(page.text().unwrap_or_default().lines()).flat_map(named);
    let named = named.filter(|(_, path)| path.contains("/src/") && !path.contains([' ', '{', '*']));
    let is_there = |path: &str| {
        let below =
            |file: &File| file.path.strip_prefix("crates/").unwrap_or(&file.path).strip_prefix(path).map(str::to_owned);
        files.iter().filter_map(below).any(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let missing = named.filter(|(_, path)| !is_there(path));
    missing.map(|(line, path)| Finding::line(page, line, format!("`{path}` is not there"))).collect()
}

fn check_table(files: &[File]) -> Vec<Finding> {
    let Some(page) = files.iter().find(|file| file.path == PAGE) else { return Vec::new() };
    let sources: Vec<(&str, Source<'_>)> = files.iter().filter_map(source).collect();
    let found = rows(page.text().unwrap_or_default()).map(|(line, row)| match row {
        Ok(row) => check_row(page, line, &row, &sources),
        Err(why) => vec![Finding::line(page, line, why)],
    });
    found.flatten().collect()
}

/// A family: what a new member takes.
pub struct FamilyRow {
    /// What is added.
    pub what: String,
    /// The files below `crates` that it takes, with `{}` for its name.
    pub needed: Vec<String>,
    /// Those that offer it, and are not needed.
    offered: Vec<String>,
    /// Members that show it.
    pub members: Vec<FamilyMember>,
}

/// A member of a family.
pub struct FamilyMember {
    /// Its name on the command line.
    pub name: String,
    /// What code is searched for.
    terms: Vec<String>,
}

/// The rows of the table, each with its line on the page.
pub fn rows(page: &str) -> impl Iterator<Item = (usize, Result<FamilyRow, String>)> {
    let lines = (1..).zip(page.lines());
    let rows = lines.skip_while(|(_, line)| *line != HEADING).skip(1).take_while(|(_, line)| !line.starts_with("## "));
    rows.filter(|(_, line)| line.starts_with("| ")).skip(1).map(|(line, row)| (line, FamilyRow::parse(row)))
}

impl FamilyRow {
    fn parse(row: &str) -> Result<Self, String> {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let [what, needed, offered, members] = cells.as_slice() else {
            return Err("a row of this table has four cells".to_owned());
        };
        let paths = |cell: &str| quoted(cell).into_iter().map(str::to_owned).collect();
        let member = |cell: &str| {
            let words = quoted(cell);
            let (name, terms) = words.split_first()?;
            let terms =
                if terms.is_empty() { spellings(name) } else { terms.iter().map(ToString::to_string).collect() };
            Some(FamilyMember { name: (*name).to_owned(), terms })
        };
        let members = members.split(';').filter_map(member).collect();
        Ok(Self { what: what.trim().to_owned(), needed: paths(needed), offered: paths(offered), members })
    }
}

/// The code of a crate's program, by its path below `crates`.
fn source(file: &File) -> Option<(&str, Source<'_>)> {
    let path = file.path.strip_prefix("crates/").filter(|_| file.is_product())?;
    Some((path, Source::new(&file.path, file.text()?)))
}

fn check_row(page: &File, line: usize, row: &FamilyRow, sources: &[(&str, Source<'_>)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for FamilyMember { name, terms } in &row.members {
        let file_name = name.replace('-', "_");
        let paths =
            |listed: &[String]| -> Vec<String> { listed.iter().map(|path| path.replace("{}", &file_name)).collect() };
        let (needed, offered) = (paths(&row.needed), paths(&row.offered));
        let named: BTreeSet<&str> =
            sources.iter().filter(|(_, source)| names(source, terms)).map(|(path, _)| *path).collect();
        let mut find = |path: &str, why: &str| {
            findings.push(Finding::line(page, line, format!("{}: `{path}` {why} `{name}`", row.what)));
        };
        for path in named.iter().filter(|path| !needed.iter().chain(&offered).any(|listed| is_in(path, listed))) {
            find(path, "is not in the table, and names");
        }
        for listed in needed.iter().chain(&offered) {
            let is_own = listed.contains(&file_name);
            let has = |path: &&str| is_in(path, listed);
            let is_there = if is_own { sources.iter().any(|(path, _)| has(path)) } else { named.iter().any(has) };
            if !is_there {
                find(listed, "is in the table, and does not name");
            }
        }
    }
    findings
}

/// What stands between backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Whether a path is a listed file; a member that takes several files lies in a folder.
fn is_in(path: &str, listed: &str) -> bool {
    path == listed
        || listed.strip_suffix(".rs").and_then(|stem| path.strip_prefix(stem)).is_some_and(|rest| rest.starts_with('/'))
}

/// The ways in which code spells the name of a member.
fn spellings(name: &str) -> Vec<String> {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    let camel: String = name.split(['-', '_']).filter(|word| !word.is_empty()).map(capital).collect();
    vec![name.to_owned(), name.replace('-', "_"), camel]
}

/// Whether code names something by one of these terms.
fn names(source: &Source<'_>, terms: &[String]) -> bool {
    source.code.iter().any(|(_, line)| terms.iter().any(|term| holds(line, term)))
}

/// Whether a term stands in a line, not as a part of a longer name.
fn holds(line: &str, term: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_whole = |(start, found): (usize, &str)| {
        !line[..start].ends_with(is_letter) && !line[start + found.len()..].starts_with(is_letter)
    };
    line.match_indices(term).any(is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBER: (&str, &str) = ("crates/core/src/loss/k_map.rs", "//! A loss.\n");
    const LIST: (&str, &str) = ("crates/core/src/loss/mod.rs", "//! K.\nmod k_map;\n");

    fn findings(row: &str, code: &[(&str, &str)]) -> Vec<String> {
        let table = format!(
            "{HEADING}\n\n| To add | Files | Offered by | Seen on |\n|---|---|---|---|\n{row}\n\n## More\n| a |\n"
        );
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), bytes: text.as_bytes().to_vec() };
        let files: Vec<File> = code.iter().chain(&[(PAGE, table.as_str())]).map(file).collect();
        check_table(&files).into_iter().map(|finding| finding.message).collect()
    }

    const ROW: &str = "| a loss | `core/src/loss/{}.rs`, `core/src/loss/mod.rs` | – | `k-map` |";

    #[test]
    fn a_member_is_named_where_the_table_says() {
        let comment =
            ("crates/core/src/a.rs", "// k_map\nfn k_maps() {}\n#[cfg(test)]\nmod tests {\n    use k_map;\n}\n");
        assert_eq!(findings(ROW, &[MEMBER, LIST, comment]), [""; 0]);
        let folder = ("crates/core/src/loss/k_map/mod.rs", "//! A loss.\nconst NAME: &str = \"k-map\";\n");
        assert_eq!(findings(ROW, &[folder, LIST]), [""; 0]);
    }

    #[test]
    fn a_dear_member_is_found() {
        let elsewhere = ("crates/cli/src/a.rs", "//! A.\nlet one = KMap::new();\n");
        let dear = "a loss: `cli/src/a.rs` is not in the table, and names `k-map`";
        assert_eq!(findings(ROW, &[MEMBER, LIST, elsewhere]), [dear]);
        let offered = ROW.replace('–', "`cli/src/a.rs`");
        assert_eq!(findings(&offered, &[MEMBER, LIST, elsewhere]), [""; 0]);
    }

    #[test]
    fn files_that_are_not_needed_are_found() {
        let idle = "a loss: `core/src/loss/mod.rs` is in the table, and does not name `k-map`";
        assert_eq!(findings(ROW, &[MEMBER]), [idle]);
        assert_eq!(
            findings(ROW, &[LIST]),
            ["a loss: `core/src/loss/k_map.rs` is in the table, and does not name `k-map`"]
        );
    }

    #[test]
    fn files_that_a_page_names_are_there() {
        let file = |path: &str, text: &str| File { path: path.to_owned(), bytes: text.as_bytes().to_vec() };
        let page =
            file("CONTRIBUTING.md", "`core/src/loss/k_map.rs`, `core/src/loss/`, `cargo src/`, `core/src/gain.rs`\n");
        let files = [file(MEMBER.0, MEMBER.1)];
        let missing: Vec<String> = missing_files(&page, &files).into_iter().map(|finding| finding.message).collect();
        assert_eq!(missing, ["`core/src/gain.rs` is not there"]);
    }

    #[test]
    fn a_member_may_be_known_by_other_words() {
        let row = "| a kind | `core/src/loss/{}.rs`, `core/src/b.rs` | – | `k-map` as `Kind::Map` |";
        assert_eq!(findings(row, &[MEMBER, ("crates/core/src/b.rs", "//! B.\nKind::Map => 1,\n")]), [""; 0]);
    }
}
