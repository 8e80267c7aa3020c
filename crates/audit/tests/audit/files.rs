//! The folder, the hashes and the manifest's keys.

use std::fs;

use equanym_audit::{Options, ReleaseCounts};
use serde_json::json;

use crate::methods::renewed;
use crate::release::{HEADER, NOTE, Release, csv_bytes, failures, hash, rows};

#[test]
fn the_honest_release_passes_every_check() {
    let verdict = Release::honest().audit();
    assert_eq!(verdict.failures().next(), None);
    let names: Vec<_> = verdict.checks.iter().map(|check| check.name).collect();
    let labels = ["labels"; 6];
    let expected = [
        [
            "manifest-keys",
            "plain-manifest",
            "claims",
            "files",
            "report-hashes",
            "data-hash",
            "data-size",
            "columns",
            "rows",
        ]
        .as_slice(),
        &["records", "suppression", "order", "formula-cells"],
        &labels,
        &["classes", "k-anonymity", "l-diversity", "reports", "plain-csv"],
    ];
    assert_eq!(names, expected.concat());
}

#[test]
fn a_verdict_is_data() {
    let json = serde_json::to_value(Release::honest().audit()).unwrap();
    let keys: Vec<_> = json["checks"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["claim", "found", "name", "passed"]);
}

#[test]
fn each_change_of_the_files_fails_its_check() {
    type Change = fn(&mut Release);
    let hidden: Change = |release| {
        release.add("report.html", b"<script>");
        release.claim("/reports/1/sha256", json!(hash(b"<script>")));
    };
    // The original table as a report.
    let table: Change = |release| {
        let table = csv_bytes(&HEADER, &rows());
        release.add("names.csv", &table);
        let report = json!({"file": "names.csv", "sha256": hash(&table)});
        release.manifest["reports"].as_array_mut().unwrap().push(report);
    };
    let twice: Change = |release| {
        let reports = release.manifest["reports"].as_array_mut().unwrap();
        reports.push(reports[0].clone());
    };
    let renamed: Change = |release| {
        fs::rename(release.data(), release.public().join("people.csv")).unwrap();
        release.claim("/data/file", json!("people.csv"));
    };
    let other_byte: Change = |release| {
        let mut rows = rows();
        rows[15][NOTE] = "note 6".to_owned();
        fs::write(release.data(), csv_bytes(&HEADER, &rows)).unwrap();
    };
    let without_reports: Change = |release| {
        release.claim("/reports", json!([]));
        for name in ["report.html", "report.json"] {
            fs::remove_file(release.public().join(name)).unwrap();
        }
    };
    let absent_report: Change = |release| fs::remove_file(release.public().join("report.html")).unwrap();
    for (what, change, expected) in [
        ("another byte", other_byte, &["data-hash"][..]),
        ("another hash", |release| release.claim("/data/sha256", json!("00")), &["data-hash"]),
        ("another size", |release| release.claim("/data/bytes", json!(1)), &["data-size"]),
        ("a changed report", |release| release.add("report.html", b"<i>"), &["report-hashes", "reports"]),
        ("a report that nobody writes again", hidden, &["reports"]),
        ("no reports", without_reports, &["reports"]),
        ("an absent report", absent_report, &["files", "reports"]),
        ("a file more", |release| release.add("mask.json", b"{}"), &["files"]),
        ("a folder more", |release| fs::create_dir(release.public().join("more")).unwrap(), &["files"]),
        ("a report with a name of its own", table, &["files", "reports"]),
        ("data with a name of their own", renamed, &["files"]),
        ("absent data", |release| fs::remove_file(release.data()).unwrap(), &["files"]),
        ("a report claimed twice", twice, &["files", "reports"]),
    ] {
        let mut release = Release::honest();
        change(&mut release);
        assert_eq!(release.failures(), expected, "{what}");
    }
}

#[test]
fn reports_without_a_writer_and_of_another_version() {
    let release = Release::honest();
    for reports in [None, Some((|_, _| None) as equanym_audit::ReportWriter)] {
        let verdict = release.audit_with(&Options { reports, ..Options::default() }).unwrap();
        assert_eq!(failures(&verdict), ["reports"]);
    }
}

#[test]
fn the_writer_learns_the_manifest_the_sizes_of_the_classes_and_the_counts_of_their_labels() {
    fn writer(manifest: &[u8], counted: &ReleaseCounts) -> Option<Vec<(&'static str, String)>> {
        let sorted = |counts: &[u64]| {
            let mut counts = counts.to_vec();
            counts.sort_unstable();
            counts
        };
        let labels = counted.label_counts.iter().map(|(name, counts)| (name.as_str(), sorted(counts)));
        let labels: Vec<(&str, Vec<u64>)> = labels.collect();
        let is_counted = labels.len() == 6
            && labels.contains(&("zip", vec![5, 11]))
            && labels.iter().all(|(_, counts)| counts.iter().sum::<u64>() == 16);
        let is_right = sorted(&counted.class_sizes) == [5, 5, 6]
            && is_counted
            && manifest.starts_with(b"{")
            && manifest.ends_with(b"}\n");
        is_right.then(|| vec![("report.json", "{}".to_owned()), ("report.html", "<p>".to_owned())])
    }
    let verdict = Release::honest().audit_with(&Options { reports: Some(writer), ..Options::default() }).unwrap();
    assert!(verdict.passed());
}

#[test]
fn settings_of_a_method_are_words_and_numbers() {
    let (mut release, _) = renewed();
    release.manifest["parameters"] = json!({"theta": 0.5, "order": true, "walk": "hit-and-run", "sweeps": "auto"});
    assert_eq!(release.failures(), [""; 0]);
    for (hidden, failed) in [
        (json!({"alice-smith": 1}), &["manifest-keys", "claims"][..]),
        (json!({"walk": "alice-smith"}), &["claims"]),
        (json!({"walk": ["paper"]}), &["claims"]),
        (json!({"walk": null}), &["manifest-keys"]),
        (json!({}), &["manifest-keys"]),
        (json!({"theta": 1.5}), &["claims"]),
        (json!({"segment": 2}), &["claims"]),
        (json!({"order": "true"}), &["claims"]),
        (json!({"noise": "normal"}), &["claims"]),
    ] {
        release.manifest["parameters"] = hidden.clone();
        assert_eq!(release.failures(), failed, "{hidden}");
    }
    let mut release = Release::honest();
    release.manifest["parameters"] = json!({"theta": 0.5});
    assert_eq!(release.failures(), ["claims"], "global recoding takes none");
}

#[test]
fn a_name_that_leaves_the_folder_is_never_opened() {
    let outside = Release::honest();
    let place = outside.data();
    let separators = [format!("../{}/data.csv", outside.public().file_name().unwrap().display()), "..".to_owned()];
    for name in separators.iter().map(String::as_str).chain([place.to_str().unwrap(), ".", "", "a\\b", "c:d", "x\0y"]) {
        let mut release = Release::honest();
        release.claim("/data/file", json!(name));
        // Where the system takes such a name for a file, the file is there.
        let data = release.public().join("data.csv");
        if name.contains(['/', '\0']) || fs::rename(&data, release.public().join(name)).is_err() {
            fs::remove_file(data).unwrap();
        }
        let verdict = release.audit();
        assert_eq!(failures(&verdict), ["files"], "{name:?}");
        assert!(verdict.checks.iter().all(|check| check.name != "data-hash"), "{name:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_never_followed() {
    let elsewhere = Release::honest();
    let release = Release::honest();
    fs::remove_file(release.data()).unwrap();
    std::os::unix::fs::symlink(elsewhere.data(), release.data()).unwrap();
    let verdict = release.audit();
    assert_eq!(failures(&verdict), ["files"]);
    assert!(verdict.checks.iter().all(|check| check.name != "data-hash"));
}

#[test]
fn a_key_that_nobody_judges() {
    let with_remark = |pointer| {
        let mut release = Release::honest();
        release.manifest.pointer_mut(pointer).unwrap()["remark"] = json!({"a": 1});
        release.failures()
    };
    for pointer in ["", "/data", "/columns/0"] {
        assert_eq!(with_remark(pointer), ["manifest-keys"], "{pointer}");
    }
    for (pointer, check) in [("/columns/0/labels", "labels"), ("/privacy/0", "privacy-model"), ("/loss", "claims")] {
        assert_eq!(with_remark(pointer), ["manifest-keys", check], "no member takes it");
    }
}
