//! Every policy that the manual shows, with the table that it is for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::spec_file::fence::{self, Block};
use crate::spec_file::{self, DATA, POLICY};
use crate::specs::pages;

/// A policy and its table, with all files that it may name.
pub struct Case {
    pub name: String,
    pub files: BTreeMap<String, String>,
    pub data: String,
    pub policy: String,
    /// Where the policy lies.
    pub folder: String,
}

/// All of them.
pub fn all() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut cases = of_specs(&root.join("specs"));
    let examples = examples(&root);
    cases.extend(of_docs(&root.join("docs"), &examples));
    cases.extend(of_examples(&examples));
    cases.extend(with_a_preset(&cases));
    cases.extend(by_mondrian(&cases));
    cases
}

fn of_specs(folder: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for path in pages(folder).unwrap() {
        let name = path.strip_prefix(folder).unwrap().display().to_string();
        let page = spec_file::cases(&fs::read_to_string(&path).unwrap()).unwrap();
        let numbered = (1..).zip(page).filter(|(_, case)| case.compare.is_none());
        cases.extend(numbered.map(|(number, case)| Case {
            name: format!("specs/{name}, case {number}"),
            data: DATA.to_owned(),
            policy: case.files[POLICY].clone(),
            files: case.files,
            folder: String::new(),
        }));
    }
    cases
}

/// The text files of the examples, by their names in a session of the manual.
fn examples(root: &Path) -> BTreeMap<String, String> {
    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { below(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    below(&root.join("examples"), &mut found);
    let text = |path: &PathBuf| {
        let name = path.strip_prefix(root).unwrap().display().to_string();
        Some((name, fs::read_to_string(path).ok()?))
    };
    found.iter().filter_map(text).collect()
}

/// The policies that pages write, each with the table that a command names beside it.
fn of_docs(folder: &Path, examples: &BTreeMap<String, String>) -> Vec<Case> {
    let mut cases = Vec::new();
    for path in pages(folder).unwrap() {
        let mut written = BTreeMap::new();
        for block in fence::blocks(&fs::read_to_string(&path).unwrap()).unwrap() {
            match block.info.split(' ').collect::<Vec<_>>().as_slice() {
                ["toml", name] => drop(written.insert((*name).to_owned(), block.text)),
                ["toml", name, "more"] => add(&mut written, name, name, &block),
                ["toml", name, "from", other] => add(&mut written, name, other, &block),
                ["console"] => {
                    let place = format!("docs/{}:{}", path.file_name().unwrap().display(), block.line);
                    cases.extend(block.text.lines().filter_map(|line| of_command(line, &place, &written, examples)));
                }
                _ => {}
            }
        }
    }
    cases.dedup_by(|one, other| one.policy == other.policy && one.data == other.data);
    cases
}

fn add(written: &mut BTreeMap<String, String>, name: &str, other: &str, block: &Block) {
    let text = format!("{}\n{}", written[other], block.text);
    written.insert(name.to_owned(), text);
}

fn of_command(
    line: &str,
    place: &str,
    written: &BTreeMap<String, String>,
    examples: &BTreeMap<String, String>,
) -> Option<Case> {
    let words: Vec<&str> = line.strip_prefix("$ equanym ")?.split(' ').collect();
    let at = words.iter().position(|word| *word == "--policy")?;
    let (data, policy) = (*words.get(1)?, written.get(*words.get(at + 1)?)?);
    Some(Case {
        name: place.to_owned(),
        files: examples.clone(),
        data: data.to_owned(),
        policy: policy.clone(),
        folder: String::new(),
    })
}

/// The policies of the examples, each with the table beside it.
fn of_examples(examples: &BTreeMap<String, String>) -> Vec<Case> {
    let folder = |name: &str| name.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let policies = examples.iter().filter(|(name, _)| ends_in(name, "toml"));
    let case = |(name, policy): (&String, &String)| Case {
        name: name.clone(),
        files: examples.clone(),
        data: examples.keys().find(|one| ends_in(one, "csv") && folder(one) == folder(name)).unwrap().clone(),
        policy: policy.clone(),
        folder: folder(name),
    };
    policies.map(case).collect()
}

fn ends_in(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|one| one == extension)
}

/// The hospital under a rule whose columns its policy breaks.
fn with_a_preset(cases: &[Case]) -> Vec<Case> {
    let hospital = "examples/hospital/policy.toml";
    let under = |case: &Case| Case {
        name: format!("{hospital} with a preset"),
        policy: format!("preset = \"hipaa-safe-harbor\"\n{}", case.policy),
        files: case.files.clone(),
        data: case.data.clone(),
        folder: case.folder.clone(),
    };
    cases.iter().filter(|case| case.name == hospital).map(under).collect()
}

/// Models of the population under a method that has no nodes.
fn by_mondrian(cases: &[Case]) -> Vec<Case> {
    let looks_at_people = |case: &&Case| case.files.contains_key("population.csv") && !case.policy.contains("name = ");
    let divided = |case: &Case| Case {
        name: format!("{} by mondrian", case.name),
        policy: if case.policy.contains("[method]") {
            case.policy.replace("[method]", "[method]\nname = \"mondrian\"")
        } else {
            format!("{}\n[method]\nname = \"mondrian\"\n", case.policy)
        },
        files: case.files.clone(),
        data: case.data.clone(),
        folder: case.folder.clone(),
    };
    cases.iter().filter(looks_at_people).map(divided).collect()
}
