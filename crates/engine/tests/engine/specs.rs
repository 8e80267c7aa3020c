//! Runs the manual: every case of every page in `specs/`, through the doors that everybody uses.
//!
//! The blocks of a case are written into a folder and released from there. What comes out is compared with what the page
//! says and audited once more; then the same happens with the rows in reverse order, which must give the same bytes. A
//! failure names the page and the line. How a page is written stands in [`spec_file`] and in `specs/README.md`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::releasing;
use crate::requests;
use crate::spec_file;
use crate::spec_file::compare::Comparison;
use crate::spec_file::expect::unlike_tables;
use crate::spec_file::{Case, DATA, POLICY, RELEASED, edit};
use equanym_engine::error::Result;
use equanym_engine::policy::Policy;
use equanym_engine::run::FinishedRelease;
use equanym_engine::run::compare;
use equanym_engine::run::sql;
use tempfile::tempdir;

/// Parts of the manual, each a test of its own.
const PARTS: usize = 8;

/// Checks every eighth page.
fn check_part(part: usize) {
    let failures = check_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs"), part, PARTS);
    assert!(failures.is_empty(), "{} failures\n\n{}\n", failures.len(), failures.join("\n\n"));
}

#[test]
fn the_manual_holds_1() {
    check_part(0);
}

#[test]
fn the_manual_holds_2() {
    check_part(1);
}

#[test]
fn the_manual_holds_3() {
    check_part(2);
}

#[test]
fn the_manual_holds_4() {
    check_part(3);
}

#[test]
fn the_manual_holds_5() {
    check_part(4);
}

#[test]
fn the_manual_holds_6() {
    check_part(5);
}

#[test]
fn the_manual_holds_7() {
    check_part(6);
}

#[test]
fn the_manual_holds_8() {
    check_part(7);
}

/// The failures of the pages below a folder, from one place on in steps.
fn check_folder(folder: &Path, first: usize, step: usize) -> Vec<String> {
    let pages = match pages(folder) {
        Ok(pages) if pages.is_empty() => return vec!["the folder of specs has no page".to_owned()],
        Ok(pages) => pages,
        Err(error) => return vec![format!("the folder of specs cannot be read: {error}")],
    };
    let check = |path: &PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        check_page(&format!("specs/{name}"), &fs::read_to_string(path).unwrap())
    };
    pages.iter().skip(first).step_by(step).flat_map(check).collect()
}

pub fn pages(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(pages(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The failures of a page, each with its place.
fn check_page(name: &str, page: &str) -> Vec<String> {
    let cases = match spec_file::cases(page) {
        Ok(cases) => cases,
        Err(fault) => return vec![format!("{name}:{fault}")],
    };
    let failure = |case: &Case| {
        let differences = check_case(case);
        (!differences.is_empty()).then(|| format!("{name}:{}\n    {}", case.line, differences.join("\n    ")))
    };
    cases.iter().filter_map(failure).collect()
}

/// How a case comes out otherwise than its page says.
fn check_case(case: &Case) -> Vec<String> {
    if let Some(comparison) = &case.compare {
        return check_comparison(case, comparison);
    }
    let as_written = Outcome::of(case, &case.files[DATA]);
    // Drawn values go to records by their number: the seed promises the same bytes for the same rows only.
    let draws = case.files[POLICY].lines().any(|line| line.starts_with("seed = "));
    let again = if draws { case.files[DATA].clone() } else { edit::reverse(&case.files[DATA]) };
    let reversed = Outcome::of(case, &again);
    let mut differences = as_written.differences(case);
    if differences.is_empty() {
        let found = reversed.differences(case).into_iter();
        differences.extend(found.map(|difference| format!("with the rows reversed, {difference}")));
    }
    if differences.is_empty() && as_written.files != reversed.files {
        differences.push("with the rows reversed, the release has other bytes".to_owned());
    }
    differences
}

/// How a comparison comes out otherwise than its page says. Both tables have the same records in the same order, unless the page denies it.
fn check_comparison(case: &Case, comparison: &Comparison) -> Vec<String> {
    let folder = tempdir().unwrap();
    let [original, release] = [DATA, RELEASED].map(|name| {
        let path = folder.path().join(name);
        fs::write(&path, &case.files[name]).unwrap();
        path
    });
    let (same_order, target) = (comparison.same_order, comparison.target.as_deref());
    let common = requests::compare(&original, release.as_path());
    match compare::compare(&compare::CompareRequest { same_order, target, ..common }) {
        Ok(found) => comparison.differences(&found),
        Err(error) => vec![format!("expected a comparison, found: {error}")],
    }
}

/// What a run leaves behind.
struct Outcome {
    result: Result<FinishedRelease>,
    /// The release folder; empty when there is none.
    files: BTreeMap<PathBuf, Vec<u8>>,
    audit: Vec<String>,
    /// The same as SQL, by dialect.
    sql: BTreeMap<String, Result<String>>,
}

impl Outcome {
    fn of(case: &Case, data: &str) -> Self {
        let folder = tempdir().unwrap();
        for (name, text) in &case.files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, if name == DATA { data } else { text }).unwrap();
        }
        let out = folder.path().join("release");
        let mut policy = Policy::load(&folder.path().join(POLICY));
        if let (Some(digits), Ok(policy)) = (case.files.get(releasing::KEY), &mut policy) {
            let path = folder.path().join(releasing::KEY);
            releasing::write_key(&path, digits);
            policy.key = Some(path);
        }
        let data = folder.path().join(DATA);
        let sql =
            case.sql.keys().map(|name| (name.clone(), policy.clone().and_then(|policy| script(&data, &policy, name))));
        let sql = sql.collect();
        let reading = policy.as_ref().map(|policy| policy.data.clone()).unwrap_or_default();
        let result = policy.and_then(|policy| releasing::run(&data, &policy, &out, 2));
        let files = if out.exists() { releasing::contents(&out) } else { BTreeMap::new() };
        let audit = if result.is_ok() { releasing::faults(&data, &reading, &out) } else { Vec::new() };
        Self { result, files, audit, sql }
    }

    fn differences(&self, case: &Case) -> Vec<String> {
        let mut differences = case.expect.differences(&self.result);
        if let (Some(expected), Some(found)) = (&case.release, self.files.get(Path::new("public/data.csv"))) {
            differences.extend(unlike_tables(expected, &String::from_utf8_lossy(found)));
        }
        for (name, expected) in &case.sql {
            match &self.sql[name] {
                Ok(found) => differences.extend(unlike_tables(expected, found)),
                Err(error) => differences.push(format!("SQL for {name}: {error}")),
            }
        }
        if self.result.is_err() && !self.files.is_empty() {
            differences.push("a refusal left a release behind".to_owned());
        }
        differences.extend(self.audit.iter().map(|failed| format!("audit: {failed}")));
        differences
    }
}

/// The release as SQL.
fn script(data: &Path, policy: &Policy, name: &str) -> Result<String> {
    sql::sql(&requests::sql(data, policy, name)).map(|made| made.script())
}

const PAGE: &str = "# Two towns

```csv data.csv counted
town,records
Nordby,2
Sydby,3
```

```toml policy.toml
[variables.town]
role = \"quasi-identifying\"
[[privacy]]
model = \"k-anonymity\"
k = 2
```

```toml expect
node = { town = 0 }
released = 5
```

```csv release
town
Nordby
Nordby
Sydby
Sydby
Sydby
```
";

#[test]
fn a_page_that_is_right_passes() {
    assert_eq!(check_page("page", PAGE), [""; 0]);
    let another = "\n```toml policy.toml change\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 6\n```\n\
                   ```toml expect\nerror = \"5 of 5 records fail\"\nexit = 1\n```\n";
    assert_eq!(check_page("page", &format!("{PAGE}{another}")), [""; 0]);
}

#[test]
fn a_page_that_is_wrong_is_reported_with_its_place() {
    let check = |old: &str, new: &str, place: &str, part: &str| {
        assert!(PAGE.contains(old), "{old}");
        let failures = check_page("page", &PAGE.replacen(old, new, 1));
        assert!(failures.len() == 1 && failures[0].starts_with(place) && failures[0].contains(part), "{failures:#?}");
    };
    check("town = 0", "town = 1", "page:17\n", "node: expected {\"town\": 1}, found {\"town\": 0}");
    check("released = 5", "loss = 0.1", "page:17\n", "loss: expected 0.1, found 0.0");
    check("released = 5", "suppressed = 1", "page:17\n", "suppressed: expected 1, found 0");
    check(
        "Sydby\nSydby",
        "Ostby\nSydby",
        "page:17\n",
        "from line 4 on (- expected, + found)\n      - Ostby\n      + Sydby",
    );
    check("k = 2", "k = 6", "page:17\n", "expected a release, found: no safe node");
    check("node = { town = 0 }\nreleased = 5", "error = \"x\"\nexit = 1", "page:22:", "a release follows");
    check("released", "relaesed", "page:17:", "unknown field `relaesed`");
    check("node = { town = 0 }\n", "", "page:17:", "a release is expected by its `node`");
    check("toml expect", "toml exspect", "page:17:", "is no block of a case");
    check("toml policy.toml", "toml polic.toml", "page:17:", "the case has no policy.toml");
    check("toml policy.toml", "toml policy.toml change", "page:9:", "there is no policy to change");
    check("csv release", "toml expect", "page:22:", "nothing has changed");
    check("Sydby,3", "Sydby", "page:6:", "no number of records");
    check("\nSydby\n```\n", "\nSydby\n", "page:22:", "never closes");
}

#[test]
fn an_order_that_matters_would_be_noticed() {
    // The rows of this release keep the order of the input, and with it more than the page can promise.
    let kept = PAGE.replace("[[privacy]]", "[output]\norder = \"input\"\n[[privacy]]");
    let failures = check_page("page", &kept);
    assert!(failures.len() == 1 && failures[0].contains("with the rows reversed, release"), "{failures:#?}");
}

#[test]
fn specs_that_are_not_there_fail() {
    let folder = tempdir().unwrap();
    assert_eq!(check_folder(folder.path(), 0, 1), ["the folder of specs has no page"]);
    assert!(check_folder(&folder.path().join("absent"), 0, 1)[0].starts_with("the folder of specs cannot be read"));
    fs::create_dir(folder.path().join("loss")).unwrap();
    fs::write(folder.path().join("loss/empty.md"), "# No case\n\n```text\nNothing.\n```\n").unwrap();
    assert_eq!(check_folder(folder.path(), 0, 1), ["specs/loss/empty.md:1: the page has no case"]);
    fs::write(folder.path().join("loss/empty.md"), "# Half\n\n```csv data.csv\na\n```\n").unwrap();
    assert_eq!(
        check_folder(folder.path(), 0, 1),
        ["specs/loss/empty.md:3: this block belongs to no case: no `expect` follows"]
    );
}
