//! The checklist: each check with a table of which there is nothing to say and with one that asks for a look, with numbers
//! that are counted here once more.

mod prices;
mod sheet;

use std::collections::{BTreeMap, BTreeSet};

use equanym_core::checklist::{Advice, Check, ChecklistLine, ChecklistNumber};
use equanym_engine::run::FinishedRelease;

use sheet::{GUARDED, Sheet};

fn lines(released: &FinishedRelease, check: Check) -> Vec<ChecklistLine> {
    released.report.checklist.lines().iter().filter(|line| line.check == check).cloned().collect()
}

fn number(line: &ChecklistLine, name: &str) -> ChecklistNumber {
    line.numbers.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no {name} in {line:?}")).1
}

/// The only line of a check.
fn only(released: &FinishedRelease, check: Check) -> ChecklistLine {
    let lines = lines(released, check);
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines[0].clone()
}

/// Asserts that the clean table is `ok` and that a changed one has a line with this advice, column and counts.
#[track_caller]
fn check(check: Check, sheet: &Sheet, advice: Advice, column: &str, counts: &[(&str, u64)]) {
    let clean = Sheet::clean().release();
    assert!(lines(&clean, check).iter().all(|line| line.advice == Advice::Ok), "{:?}", lines(&clean, check));
    let released = sheet.release();
    let found = lines(&released, check);
    let line = found.iter().find(|line| line.advice == advice && line.column.as_deref() == Some(column));
    let line = line.unwrap_or_else(|| panic!("no {advice:?} of {column} in {found:?}"));
    for (name, count) in counts {
        assert_eq!(number(line, name), ChecklistNumber::Count(*count), "{line:?}");
    }
    assert!(line.message.contains(&format!("`{column}`")), "{line:?}");
}

#[test]
fn a_clean_table_is_ok_everywhere() {
    let released = Sheet::clean().release();
    let lines = released.report.checklist.lines();
    assert!(lines.iter().all(|line| line.advice == Advice::Ok), "{lines:#?}");
    let found: BTreeSet<&str> = lines.iter().map(|line| line.check.name()).collect();
    let all: BTreeSet<&str> = Check::ALL.iter().map(|(_, name)| *name).collect();
    let only_where_they_apply =
        BTreeSet::from(["linked-records", "treatments", "new-values", "local-recoding", "earlier-releases"]);
    assert_eq!(found, all.difference(&only_where_they_apply).copied().collect());
    assert_eq!(number(&only(&released, Check::Minimality), "people"), ChecklistNumber::Count(0));
    assert_eq!(number(&only(&released, Check::People), "records"), ChecklistNumber::Count(240));
    assert_eq!(number(&only(&released, Check::Guarantee), "models"), ChecklistNumber::Count(2));
}

#[test]
fn the_checks_are_documented() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/checklist.md");
    let page = std::fs::read_to_string(page).unwrap();
    for (_, name) in Check::ALL {
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
    assert_eq!(page.matches("\n| `").count(), Check::ALL.len(), "a check that is none");
}

#[test]
fn a_release_without_a_model_says_so() {
    let mut sheet = Sheet::clean();
    sheet.rest = "[method]\nsearch = \"balance\"\nguarantee = \"none\"\n".to_owned();
    let points = "role = \"quasi-identifying\"\npoints = { user = 50, intruder = 50 }";
    let sheet = sheet.role("sex", points).role("age", points);
    let line = only(&sheet.release(), Check::Guarantee);
    assert_eq!((line.advice, number(&line, "models")), (Advice::Look, ChecklistNumber::Count(0)));
}

#[test]
fn people_against_records() {
    let in_pairs = Sheet::clean().set("name", |record| format!("Person{}x", record / 2)).person("name");
    let line = only(&in_pairs.release(), Check::People);
    assert_eq!(line.advice, Advice::Ok);
    assert_eq!([number(&line, "records"), number(&line, "people")], [240, 120].map(ChecklistNumber::Count));
    let alone = Sheet::clean().person("name");
    check(Check::People, &alone, Advice::Look, "name", &[("records", 240), ("people", 240)]);
}

#[test]
fn an_id_that_repeats() {
    let in_pairs = |record: usize| format!("Person{}x", record / 2);
    check(Check::RepeatedId, &Sheet::clean().set("name", in_pairs), Advice::Look, "name", &[]);
    // The number of a person is that of nobody else.
    let numbered = Sheet::clean().rename("name", "patient_id");
    assert_eq!(only(&numbered.release(), Check::RepeatedId).advice, Advice::Ok);
    check(Check::RepeatedId, &numbered.clone().set("patient_id", in_pairs), Advice::Stop, "patient_id", &[]);
    let named = numbered.set("patient_id", in_pairs).person("patient_id");
    assert_eq!(only(&named.release(), Check::RepeatedId).advice, Advice::Ok);
}

#[test]
fn a_column_that_tells_all_apart() {
    let sheet = Sheet::clean().set("ward", |record| format!("w{record}"));
    check(Check::NearUnique, &sheet, Advice::Look, "ward", &[("records", 240)]);
    // What is told once is not told twice.
    assert_eq!(only(&sheet.release(), Check::RareValues).advice, Advice::Ok);
}

#[test]
fn running_text() {
    let text = |record: usize| format!("came in on day {record} of the year");
    check(Check::FreeText, &Sheet::clean().set("ward", text), Advice::Stop, "ward", &[("records", 240)]);
    let few =
        Sheet::clean().change("ward", |record, cell| if record % 60 == 1 { text(record) } else { cell.to_owned() });
    check(Check::FreeText, &few, Advice::Look, "ward", &[("records", 4)]);
    let choice = Sheet::clean().set("ward", |record| format!("the answer of five words {}", record % 2));
    assert_eq!(only(&choice.release(), Check::FreeText).advice, Advice::Ok);
    // A sensitive column is released as collected, too.
    let sensitive = Sheet::clean().set("illness", text);
    check(Check::FreeText, &sensitive, Advice::Stop, "illness", &[("records", 240)]);
}

#[test]
fn addresses_numbers_and_dates() {
    let sometimes = |cell: fn(usize) -> String| {
        Sheet::clean().change("ward", move |record, old| if record % 48 == 7 { cell(record) } else { old.to_owned() })
    };
    let e_mail = sometimes(|record| format!("write to p{record}@mail.example.org"));
    check(Check::EMail, &e_mail, Advice::Stop, "ward", &[("records", 5)]);
    let phone = sometimes(|record| format!("+49 621 12{record:03}"));
    check(Check::Phone, &phone, Advice::Look, "ward", &[("records", 5)]);
    let all = Sheet::clean().set("ward", |record| format!("+49 621 12{record:03}"));
    check(Check::Phone, &all, Advice::Stop, "ward", &[("records", 240)]);
    let date = sometimes(|record| format!("{:02}.03.2024", record % 28 + 1));
    check(Check::Date, &date, Advice::Look, "ward", &[("records", 5)]);
}

#[test]
fn names_of_others() {
    let with = |every: usize| {
        Sheet::clean().change("ward", move |record, old| {
            if record % every == 3 { format!("see PERSON{}X", record + 1) } else { old.to_owned() }
        })
    };
    check(Check::Names, &with(80), Advice::Look, "ward", &[("records", 3)]);
    check(Check::Names, &with(8), Advice::Stop, "ward", &[("records", 30)]);
    // The word for a ward is a name as soon as an identifying column holds it.
    let sheet =
        Sheet::clean().change("name", |record, old| if record == 5 { "Ann Nose".into() } else { old.to_owned() });
    check(Check::Names, &sheet, Advice::Stop, "ward", &[("records", 80)]);
}

#[test]
fn rare_values() {
    let with = |records: usize| {
        Sheet::clean().change("ward", move |record, old| if record < records { "mouth".into() } else { old.to_owned() })
    };
    check(Check::RareValues, &with(4), Advice::Look, "ward", &[("values", 1), ("records", 4), ("below", 5)]);
    assert_eq!(only(&with(5).release(), Check::RareValues).advice, Advice::Ok);
    // Ten records of four people are those of four people; so it is in a guarded column.
    let person = |record: usize| format!("Person{}x", record / 3);
    let of_people = with(10).set("name", person).person("name");
    check(Check::RareValues, &of_people, Advice::Look, "ward", &[("values", 1), ("records", 10), ("below", 5)]);
    let guarded = Sheet::clean()
        .change("illness", |record, old| if record < 10 { "plague".into() } else { old.to_owned() })
        .set("name", person)
        .person("name");
    check(Check::RareValues, &guarded, Advice::Look, "illness", &[("values", 1), ("records", 10), ("below", 5)]);
}

#[test]
fn a_sensitive_column_without_a_model() {
    check(Check::Unguarded, &Sheet::clean().role("ward", "role = \"sensitive\""), Advice::Look, "ward", &[]);
}

/// The greatest share, counted in the released file.
#[test]
fn the_most_frequent_value_of_a_class() {
    let skewed = Sheet::clean()
        .change("illness", |record, old| if record % 8 == 2 && record > 16 { "flu".into() } else { old.to_owned() });
    let released = skewed.release();
    let rows = skewed.released_rows();
    let mut classes: BTreeMap<(&str, &str), BTreeMap<&str, u64>> = BTreeMap::new();
    for row in &rows {
        *classes.entry((&row[0], &row[1])).or_default().entry(&row[2]).or_default() += 1;
    }
    let share =
        |counts: &BTreeMap<&str, u64>| *counts.values().max().unwrap() as f64 / counts.values().sum::<u64>() as f64;
    let greatest = classes.values().map(share).fold(0.0, f64::max);
    let line = only(&released, Check::Skew);
    assert!(greatest > 0.8 && line.advice == Advice::Look, "{greatest} {line:?}");
    assert_eq!(number(&line, "share"), ChecklistNumber::Share(greatest));
    let clean = only(&Sheet::clean().release(), Check::Skew);
    assert_eq!(
        (clean.advice, number(&clean, "count"), number(&clean, "of")),
        (Advice::Ok, ChecklistNumber::Count(10), ChecklistNumber::Count(30))
    );
}

#[test]
fn the_most_frequent_value_where_classes_have_labels_of_their_own() {
    let mut sheet = Sheet::clean();
    sheet.rest = GUARDED.to_owned() + "[method]\nname = \"mondrian\"\n";
    let released = sheet.release();
    let line = only(&released, Check::Skew);
    assert_eq!((number(&line, "count"), line.advice), (ChecklistNumber::Count(10), Advice::Ok));
    let open = lines(&released, Check::LocalRecoding);
    assert!(open.len() == 2 && open.iter().all(|line| line.advice == Advice::Look));
    assert_eq!(only(&released, Check::Withheld).advice, Advice::Ok);
    assert_eq!(number(&only(&released, Check::Detail), "columns"), ChecklistNumber::Count(2));
}

#[test]
fn what_follows_from_a_quasi_identifier() {
    let sheet = Sheet::clean().set("illness", |record| ["flu", "gout"][record % 2].into());
    check(Check::Dependence, &sheet, Advice::Look, "illness", &[]);
}

#[test]
fn spellings() {
    let other =
        |record: usize, old: &str| if record.is_multiple_of(2) { old.to_uppercase() + " " } else { old.to_owned() };
    check(Check::Spelling, &Sheet::clean().change("ward", other), Advice::Look, "ward", &[("values", 6)]);
    check(Check::Spelling, &Sheet::clean().change("illness", other), Advice::Look, "illness", &[("values", 6)]);
    let sex =
        Sheet::clean().change("sex", |record, old| if record % 4 < 2 { old.to_uppercase() } else { old.to_owned() });
    check(Check::Spelling, &sex, Advice::Look, "sex", &[("values", 4)]);
}

#[test]
fn words_for_missing_and_columns_that_add_nothing() {
    let missing = Sheet::clean().change("sex", |record, old| if record < 30 { "NA".into() } else { old.to_owned() });
    check(Check::MissingWords, &missing, Advice::Look, "sex", &[("values", 1)]);
    check(Check::Constant, &Sheet::clean().set("age", |_| "30".into()), Advice::Look, "age", &[]);
}

#[test]
fn codes_that_lost_their_zeros() {
    // One code in four begins with a zero, which is lost.
    let code = |record: usize| format!("{:05}", record / 2 % 4 * 10_000 + 1067);
    let text = "role = \"quasi-identifying\"\ntype = \"text\"";
    let whole = Sheet::clean().rename("age", "code").role("code", text).set("code", code);
    assert_eq!(only(&whole.release(), Check::EatenZeros).advice, Advice::Ok);
    let eaten = whole.change("code", |_, old| old.trim_start_matches('0').to_owned());
    check(Check::EatenZeros, &eaten, Advice::Look, "code", &[("values", 1)]);
}

/// A token shows which records are one person's; who is alone with their classes is counted here.
#[test]
fn tokens_that_link_records() {
    let person = |record: usize| format!("Person{}x", record / 2);
    let linked = Sheet::clean().set("name", person).role("name", "role = \"pseudonym\"");
    let mut classes: BTreeMap<BTreeSet<(String, String)>, u64> = BTreeMap::new();
    for two in linked.rows().chunks(2) {
        let class = |row: &Vec<String>| (row[1].clone(), row[2].clone());
        let trail: BTreeSet<(String, String)> = two.iter().map(class).collect();
        *classes.entry(trail).or_default() += 1;
    }
    let alone = classes.values().filter(|people| **people == 1).count() as u64;
    check(
        Check::LinkedRecords,
        &linked.clone().person("name"),
        Advice::Look,
        "name",
        &[("alone", alone), ("people", 120)],
    );
    assert!(lines(&Sheet::clean().release(), Check::LinkedRecords).is_empty());
    // One more person, who came to two classes where others came to one each.
    let strange =
        linked.person("name").change("age", |record, old| if record < 20 { "20".into() } else { old.to_owned() });
    let trail = strange.change("sex", |record, old| if record == 1 { "f".into() } else { old.to_owned() });
    check(Check::LinkedRecords, &trail, Advice::Look, "name", &[("alone", 1), ("people", 120)]);
}

#[test]
fn what_treatments_leave_open() {
    let day = |record: usize| format!("{:02}.03.2024", record % 3 + 1);
    let shifted = "role = \"insensitive\"\nshift = { days = 20, by = \"name\", format = \"DD.MM.YYYY\" }";
    let moved = Sheet::clean().set("ward", day).role("ward", shifted);
    assert!(lines(&moved.release(), Check::Treatments).is_empty());
    // A date that stays beside it.
    let date = "role = \"quasi-identifying\"\nhierarchy = { date = [\"month\"], format = \"DD.MM.YYYY\" }";
    let still = moved.clone().set("age", day).role("age", date);
    check(Check::Treatments, &still, Advice::Look, "age", &[]);
    // Dates of nobody.
    let unnamed = moved.change("name", |record, old| if record % 60 == 3 { String::new() } else { old.to_owned() });
    let line = only(&unnamed.release(), Check::Treatments);
    assert_eq!(line.advice, Advice::Look);
    assert!(line.message.starts_with("column `ward`: 4 values became missing"), "{line:?}");
}

#[test]
fn ladders_with_doubts() {
    let ladder = "role = \"quasi-identifying\"\nhierarchy = { groups = [{ person = [\"f\", \"q\"] }] }";
    check(Check::Hierarchy, &Sheet::clean().role("sex", ladder), Advice::Look, "sex", &[("findings", 1)]);
}

#[test]
fn columns_that_became_a_star() {
    let mut sheet = Sheet::clean();
    sheet.rest = GUARDED.replace("k = 5", "k = 100");
    let line = only(&sheet.release(), Check::Detail);
    let numbers = [number(&line, "top"), number(&line, "columns")];
    assert_eq!((line.advice, numbers), (Advice::Look, [1, 2].map(ChecklistNumber::Count)), "{line:?}");
    assert!(line.message.starts_with("1 of 2 columns became `*`"), "{line:?}");
    assert!(line.message.contains("; a k that is one less would buy "), "{line:?}");
    assert_eq!(number(&only(&Sheet::clean().release(), Check::Detail), "top"), ChecklistNumber::Count(0));
}

/// Who is not in the released file, counted there.
#[test]
fn who_was_withheld() {
    let mut sheet = Sheet::clean()
        .change("sex", |record, old| if record % 60 == 0 { "x".into() } else { old.to_owned() })
        .change("age", |record, old| if record % 80 == 1 { "85".into() } else { old.to_owned() });
    sheet.rest += "[method]\nsuppression_limit = 0.05\n";
    let released = sheet.release();
    let (before, after) = (sheet.rows(), sheet.released_rows());
    assert_eq!((before.len() - after.len()) as u64, released.report.suppressed);
    let in_group = |rows: &[Vec<String>], column: usize, group: &[&str]| {
        rows.iter().filter(|row| group.contains(&row[column].as_str())).count() as u64
    };
    let groups: [(&str, &str, &[&str]); 6] = [
        ("sex", "women", &["f"]),
        ("sex", "men", &["m"]),
        ("sex", "others", &["x"]),
        ("age", "people of 18 to 39", &["20", "30"]),
        ("age", "people of 40 to 64", &["40", "50"]),
        ("age", "people of 80 and more", &["85"]),
    ];
    let found = lines(&released, Check::Withheld);
    assert_eq!(found.len(), groups.len(), "{found:#?}");
    for (column, word, values) in &groups {
        // The columns of the release are those of the table without the name.
        let place = usize::from(*column != "sex");
        let all = in_group(&before, place + 1, values);
        let withheld = all - in_group(&after, place, values);
        let line = found.iter().find(|line| number(line, "group") == ChecklistNumber::Word(word)).unwrap();
        assert_eq!(
            [number(line, "records"), number(line, "withheld")],
            [all, withheld].map(ChecklistNumber::Count),
            "{line:?}"
        );
        assert_eq!(
            line.advice,
            if *word == "others" || word.contains("80") { Advice::Look } else { Advice::Ok },
            "{line:?}"
        );
    }
    let clean = only(&Sheet::clean().release(), Check::Withheld);
    assert_eq!((clean.advice, number(&clean, "withheld")), (Advice::Ok, ChecklistNumber::Count(0)));
}

#[test]
fn how_it_is_read_and_written() {
    let mut sheet = Sheet::clean();
    sheet.rest += "[output]\norder = \"input\"\n[data]\nragged = \"null\"\n";
    let whole = sheet.release();
    assert_eq!(only(&whole, Check::Reading).advice, Advice::Ok);
    assert_eq!(only(&whole, Check::Order).advice, Advice::Look);
    sheet.tail = "Last,f,20\n".to_owned();
    let line = only(&sheet.release(), Check::Reading);
    assert_eq!((line.advice, number(&line, "rows")), (Advice::Look, ChecklistNumber::Count(1)));
}

/// The rates of new values have their own tests; here they are lines.
#[test]
fn new_values_are_told() {
    let mut sheet = Sheet::clean().set("age", |record| (20 + record % 50).to_string());
    sheet = sheet.role("age", "role = \"quasi-identifying\"\nwalk = true");
    sheet.rest = GUARDED.to_owned() + "[method]\nname = \"random-walk\"\nseed = 7\n";
    let told = lines(&sheet.release(), Check::NewValues);
    assert!(!told.is_empty() && told.iter().all(|line| line.advice == Advice::Look), "{told:?}");
    assert!(told[0].message.contains("without a formal guarantee"));
}

#[test]
fn earlier_releases_count_records() {
    let mut sheet = Sheet::clean().set("name", |record| format!("Person{}x", record / 2)).person("name");
    let earlier = sheet.clone();
    earlier.release();
    sheet.against = vec![earlier.out().join("public")];
    assert_eq!(only(&sheet.release(), Check::EarlierReleases).advice, Advice::Look);
    assert!(lines(&earlier.release(), Check::EarlierReleases).is_empty());
}

/// A stored mask over the same table: the same columns, the same findings.
#[test]
fn a_mask_that_is_applied_has_a_checklist() {
    let sheet = Sheet::clean()
        .change("ward", |record, old| if record % 48 == 7 { format!("p{record}@example.org") } else { old.to_owned() });
    let (released, applied) = (sheet.release(), sheet.apply());
    for check in [Check::People, Check::RepeatedId, Check::EMail, Check::FreeText, Check::Skew, Check::Withheld] {
        assert_eq!(lines(&released, check), lines(&applied, check));
    }
    assert_eq!(only(&applied, Check::EMail).advice, Advice::Stop);
    let (before, after) = (released.report.worth.unwrap(), applied.report.worth.unwrap());
    assert_eq!((before.sentence, before.top), (after.sentence, after.top));
}

/// Lines are shown, stored and sent: no cell may be among them.
#[test]
fn no_line_shows_a_value() {
    let mut sheet = Sheet::clean()
        .set("name", |record| format!("Zqname{} Zqsur{}", record / 2, record % 7))
        .set("age", |record| (90_100 + record % 12).to_string())
        .set("sex", |record| ["zqf", "zqF", "zqm", "NA"][record % 4].to_owned())
        .set("illness", |record| ["Zqflu", "zqflu ", "zqgout", "zqmumps"][record % 4].to_owned())
        .set("ward", |record| match record % 5 {
            0 => format!("zqnote about Zqsur{} on day {record}", record % 7),
            1 => format!("zq{record}@zqexample.org"),
            2 => format!("+49 621 90{record:03}"),
            3 => "zq31".to_owned(),
            _ => format!("{:02}.03.1907", record % 28 + 1),
        });
    sheet.rest += "[method]\nsuppression_limit = 0.05\n";
    let released = sheet.release();
    let report: serde_json::Value = serde_json::from_str(&sheet.read("private/report.json")).unwrap();
    let told = [&report["checklist"], &report["warnings"], &report["worth"]].map(ToString::to_string).concat();
    assert!(released.report.checklist.warnings().len() > 8, "{told}");
    for planted in ["zq", "Zq", "901", "1907", "+49", "zqexample"] {
        assert!(!told.contains(planted), "{planted}: {told}");
    }
    for file in ["public/report.json", "public/report.html", "public/manifest.json"] {
        let public = sheet.read(file);
        assert!(
            !public.contains("checklist") && !public.contains("one_less_k") && !public.contains("regain"),
            "{file}"
        );
    }
}

#[test]
fn threads_and_the_order_of_records_change_nothing() {
    let mut sheet = Sheet::clean().set("name", |record| format!("Zq{} Zr{}", record / 2, record % 7)).change(
        "ward",
        |record, old| if record % 9 == 0 { format!("saw Zr{} there", record % 7) } else { old.to_owned() },
    );
    sheet.rest = GUARDED.replace("k = 5", "k = 20") + "[method]\nsuppression_limit = 0.02\n";
    let told = |sheet: &Sheet| {
        let report: serde_json::Value = serde_json::from_str(&sheet.read("private/report.json")).unwrap();
        [&report["checklist"], &report["worth"]].map(ToString::to_string)
    };
    sheet.release();
    let first = told(&sheet);
    let reversed = sheet.reversed();
    reversed.release();
    assert_eq!(first, told(&reversed));
    sheet.threads = 1;
    sheet.release();
    assert_eq!(first, told(&sheet));
}
