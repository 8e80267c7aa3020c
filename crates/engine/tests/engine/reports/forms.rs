//! Who made a release and for what, and the forms that are filled in from it.

use std::fs;
use std::path::Path;

use equanym_core::variable::Role;
use equanym_engine::error::{Kind, Result};
use equanym_engine::progress::Silent;
use equanym_engine::run::report::{ReportFiles, ReportRequest, report as fill_in};
use tempfile::tempdir;

use crate::releasing::{policy, run};

use super::{CANARIES, HOSTILE, column, mask, owned, parsed, public, public_of, report, stored};

const NOTES: &str =
    "[release]\ntitle = \"Wards\"\npurpose = \"teaching <b>\"\ndate = \"2026-11-18\"\ntable = \"secret.csv\"\n";

#[test]
fn the_table_is_named_to_its_owner_alone() {
    let stored = stored(&mask(), NOTES);
    let public = public_of(&report(), &stored);
    let (private, _) = owned(&report(), &stored);
    for text in &public {
        assert!(text.contains("Wards") && text.contains("2026-11-18") && !text.contains("secret.csv"));
    }
    assert!(public[1].contains("teaching &lt;b&gt;") && !public[1].contains("to be filled in"));
    assert!(private.iter().all(|text| text.contains("secret.csv") && text.contains("Wards")));
    // What nobody said is a line to fill in, and somebody signs.
    assert!(private[1].contains("to be filled in") && private[1].contains("Released by"));
    // Without a word of the owner the public report has no such section.
    let [json, page] = self::public(&report(), &mask());
    assert!(!parsed(&json).contains_key("about") && !page.contains("What it is for"));
}

#[test]
fn forms_are_filled_in_and_leave_judgements_open() {
    let stored = stored(&mask(), &format!("{NOTES}forms = [\"wp216\", \"ema-0070\", \"hipaa-expert\"]\n"));
    let (_, written) = owned(&report(), &stored);
    let names: Vec<&str> = written.iter().map(|(name, _)| name.as_str()).collect();
    let expected = ["ema-0070.md", "ema-0070.html", "hipaa-expert.md", "hipaa-expert.html", "wp216.md", "wp216.html"];
    assert_eq!(names, expected);
    for (name, text) in &written {
        assert!(text.contains(if name.contains(".md") { "**[OPEN]**" } else { "Open: " }), "{name}");
        for filled in ["patient", "the month of the date", "20%", "28", "Wards"] {
            assert!(text.contains(filled), "{name}: {filled}");
        }
        for canary in CANARIES.iter().chain(&["canary-shown"]) {
            assert!(!text.contains(canary), "{name}: {canary}");
        }
        assert!(!text.contains("<b>") && !text.contains("https://"), "{name}");
    }
    assert!(written[0].1.contains("EMA/90915/2016") && written[0].1.contains("exceeded: 20%"));
    assert!(written[2].1.contains("164.514(b)(1)") && written[4].1.contains("Singling out"));
}

#[test]
fn hostile_names_in_forms_stay_text() {
    let (report, mut mask) = (report(), mask());
    let long = "ä".repeat(10_000);
    for name in [HOSTILE, "a | b\n# c [d](e) `f`", "\u{202e}abc\u{1b}", long.as_str()] {
        mask.columns.push(column(name, Role::Insensitive, None));
    }
    let stored = stored(&mask, "[release]\nforms = [\"wp216\"]\n");
    let (_, written) = owned(&report, &stored);
    for (name, text) in &written {
        assert!(!text.contains("<img") && !text.contains('\u{202e}') && !text.contains('\u{1b}'), "{name}");
    }
    assert!(written[0].1.contains("a \\| b\u{fffd}\\# c \\[d\\]\\(e\\) \\`f\\`"));
    assert!(!written[1].1.contains(&long), "a page cuts what is too long");
}

const PEOPLE: &str = "name,age,sex\na,31,f\nb,34,f\nc,47,m\nd,52,m\ne,33,f\nf,49,m\ng,38,f\nh,41,m\n";

const POLICY: &str = "[variables.name]\nrole = \"identifying\"\n[variables.age]\nrole = \"quasi-identifying\"\n\
                      hierarchy = { intervals = [10, 20] }\n[variables.sex]\nrole = \"quasi-identifying\"\n\
                      [[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n\
                      [release]\ntitle = \"Eight people\"\ntable = \"a list\"\ndate = \"2026-11-18\"\n\
                      forms = [\"ema-0070\", \"hipaa-expert\", \"wp216\"]\n";

fn filled(release: &Path, out: &Path) -> Result<ReportFiles> {
    let forms = ["ema-0070", "hipaa-expert", "wp216"].map(str::to_owned);
    fill_in(&ReportRequest { release, forms: &forms, date: None, out, progress: &Silent })
}

#[test]
fn forms_about_a_finished_release_are_those_that_it_wrote_itself() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("data.csv"), PEOPLE).unwrap();
    run(&at("data.csv"), &policy(POLICY), &at("out"), 1).unwrap();
    for (release, out) in [("out", "forms"), ("out/public", "again")] {
        let reported = filled(&at(release), &at(out)).unwrap();
        assert!(reported.private && reported.files.len() == 6, "{reported:?}");
        for name in &reported.files {
            let own = fs::read_to_string(at("out/private").join(name)).unwrap();
            assert_eq!(fs::read_to_string(at(out).join(name)).unwrap(), own, "{name}");
        }
    }
    assert_eq!(filled(&at("out"), &at("forms")).unwrap_err().kind, Kind::Input);
    assert_eq!(filled(&at("out"), &at("out/public/forms")).unwrap_err().kind, Kind::Input);
}

#[test]
fn forms_from_the_public_part_leave_open_what_the_owner_knows() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("data.csv"), PEOPLE).unwrap();
    run(&at("data.csv"), &policy(POLICY), &at("out"), 1).unwrap();
    fs::remove_dir_all(at("out/private")).unwrap();
    assert!(!filled(&at("out"), &at("forms")).unwrap().private);
    let form = fs::read_to_string(at("forms/ema-0070.md")).unwrap();
    assert!(
        form.contains("Eight people") && form.contains("| **[OPEN]** | direct identifier | not released |"),
        "{form}"
    );
    assert!(
        !form.contains("a list") && !form.contains("nothing to look at") && !form.contains("not measured"),
        "{form}"
    );
    // A release that was changed gets none.
    let changed = fs::read_to_string(at("out/public/data.csv")).unwrap().replace('f', "m");
    fs::write(at("out/public/data.csv"), changed).unwrap();
    assert_eq!(filled(&at("out"), &at("others")).unwrap_err().kind, Kind::Unsafe);
    assert!(!at("others").exists());
}
