//! How a release is written: with the signs of its input, or as the policy says; audited, compared and applied all the same.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::releasing::{contents, faults, policy, run};
use crate::requests;
use crate::source::excel::{row, text, workbook};
use crate::stage::Stage;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use equanym_engine::policy::Policy;
use equanym_engine::run::compare;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// What a patient of the made-up clinic has: size, cost, town, a remark, a day.
struct Patient {
    size: f64,
    cost: f64,
    town: &'static str,
    remark: &'static str,
    plz: i64,
    day: i32,
}

fn patients() -> Vec<Patient> {
    let patient = |place: i32| Patient {
        size: 150.5 + f64::from(place * 7 % 40),
        cost: 1234.25 + f64::from(place * 131 % 5000),
        town: ["Köln", "Nürnberg", "Überlingen"][usize::try_from(place).unwrap() % 3],
        remark: ["gut", "a, b", "x;y", "z,=1+1"][usize::try_from(place).unwrap() % 4],
        plz: [1067, 50667][usize::try_from(place).unwrap() % 2],
        day: 18_000 + place % 5,
    };
    (0..120).map(patient).collect()
}

/// 2019-04-14 and the days after it.
fn day(patient: &Patient) -> String {
    format!("2019-04-{}", patient.day - 18_000 + 14)
}

/// A number as it is written in German.
fn german(number: f64) -> String {
    let (whole, fraction) = (number.trunc(), (number.fract() * 100.0).round());
    let thousands = (whole / 1000.0).trunc();
    if thousands > 0.0 {
        format!("{thousands}.{:03},{fraction:02}", whole % 1000.0)
    } else {
        format!("{whole},{fraction:02}")
    }
}

fn as_csv() -> Vec<u8> {
    let mut csv = "größe;kosten;ort;bemerkung;plz;tag\n".to_owned();
    for patient in &patients() {
        let Patient { size, cost, town, remark, plz, .. } = patient;
        let remark = if remark.contains(';') { format!("\"{remark}\"") } else { (*remark).to_owned() };
        writeln!(csv, "{};{};{town};{remark};{plz};{}", german(*size), german(*cost), day(patient)).unwrap();
    }
    encoding_rs::WINDOWS_1252.encode(&csv).0.into_owned()
}

fn as_xlsx() -> Vec<u8> {
    let number = |place: String, value: String| format!(r#"<c r="{place}"><v>{value}</v></c>"#);
    let names = ["größe", "kosten", "ort", "bemerkung", "plz", "tag"].iter().zip('A'..);
    let mut rows = row(1, &names.map(|(name, column)| text(&format!("{column}1"), name)).collect::<String>());
    for (line, patient) in (2..).zip(&patients()) {
        let cells = number(format!("A{line}"), patient.size.to_string())
            + &number(format!("B{line}"), patient.cost.to_string())
            + &text(&format!("C{line}"), patient.town)
            + &text(&format!("D{line}"), patient.remark)
            + &number(format!("E{line}"), patient.plz.to_string())
            // Excel counts days from the end of 1899.
            + &format!(r#"<c r="F{line}" s="1"><v>{}</v></c>"#, patient.day + 25_569);
        rows += &row(line, &cells);
    }
    workbook(&[("Tabelle1", "visible", &rows)], false)
}

fn write_parquet(path: &Path) {
    let patients = patients();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("größe", Arc::new(patients.iter().map(|one| Some(one.size)).collect::<Float64Array>())),
        ("kosten", Arc::new(patients.iter().map(|one| Some(one.cost)).collect::<Float64Array>())),
        ("ort", Arc::new(patients.iter().map(|one| Some(one.town)).collect::<StringArray>())),
        ("bemerkung", Arc::new(patients.iter().map(|one| Some(one.remark)).collect::<StringArray>())),
        ("plz", Arc::new(patients.iter().map(|one| Some(one.plz)).collect::<Int64Array>())),
        ("tag", Arc::new(patients.iter().map(|one| Some(one.day)).collect::<Date32Array>())),
    ];
    save(path, &RecordBatch::try_from_iter(columns).unwrap());
}

fn save(path: &Path, batch: &RecordBatch) {
    let mut writer = ArrowWriter::try_new(fs::File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

fn clinic(output: &str) -> Policy {
    policy(&format!(
        "[data]\nencoding = \"windows-1252\"\ndecimal = \",\"\nthousands = \".\"\n\
         [variables.\"größe\"]\nrole = \"quasi-identifying\"\nhierarchy = {{ intervals = [2.5, 20] }}\nlevels = {{ min = 1, max = 1 }}\n\
         [variables.kosten]\nrole = \"insensitive\"\ntype = \"number\"\n\
         [variables.ort]\nrole = \"sensitive\"\n\
         [variables.bemerkung]\nrole = \"insensitive\"\n\
         [variables.plz]\nrole = \"insensitive\"\nwidth = 5\n\
         [variables.tag]\nrole = \"insensitive\"\n\
         [[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n[method]\nsuppression_limit = 1\n[output]\n{output}"
    ))
}

/// The table in a folder, in each format.
fn tables() -> (Stage, [PathBuf; 3]) {
    let stage = Stage::with(as_csv());
    let paths = [stage.data(), stage.write("a.xlsx", as_xlsx()), stage.path("a.parquet")];
    write_parquet(&paths[2]);
    (stage, paths)
}

/// Where a table is released, audited in every way that there is.
fn released(stage: &Stage, data: &Path, policy: &Policy, name: &str) -> PathBuf {
    let out = stage.path(name);
    run(data, policy, &out, 2).unwrap();
    assert_eq!(faults(data, &policy.data, &out), [""; 0], "{name}");
    out
}

const PLAIN: &str = "delimiter = \",\"\nencoding = \"utf-8\"\ndecimal = \".\"\n";

#[test]
fn the_same_table_from_every_format_gives_the_same_bytes() {
    let (stage, paths) = tables();
    let mut found = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        let out = released(&stage, path, &clinic(PLAIN), &format!("out{number}"));
        found.push(contents(&out.join("public")));
    }
    assert!(found[0] == found[1] && found[1] == found[2], "three formats, one release");
    let data = String::from_utf8(found[0][Path::new("data.csv")].clone()).unwrap();
    assert!(data.starts_with("größe,kosten,ort,bemerkung,plz,tag\n"), "{}", &data[..100]);
    assert!(data.contains("\"[152.5, 155[\"") && data.contains(",01067,2019-04-"), "{}", &data[..300]);
}

#[test]
fn a_release_of_text_has_the_signs_of_its_input() {
    let (stage, [csv, xlsx, _]) = tables();
    let out = released(&stage, &csv, &clinic(""), "out");
    let bytes = fs::read(out.join("public/data.csv")).unwrap();
    let (text, _, is_lossy) = encoding_rs::WINDOWS_1252.decode(&bytes);
    assert!(!is_lossy && std::str::from_utf8(&bytes).is_err());
    assert!(text.starts_with("größe;kosten;ort;bemerkung;plz;tag\n"));
    assert!(text.contains("\"[152,5; 155[\";") && text.contains(";1234,25;") && text.contains("Köln"), "{text}");
    assert!(text.contains(";a, b;") && text.contains(";\"x;y\";"), "texts stay as they are");
    assert!(text.contains(";z,'=1+1;"), "a spreadsheet may split at the comma");
    let manifest = stage.json("out/public/manifest.json");
    let signs = ["delimiter", "encoding", "decimal"].map(|key| manifest["data"][key].as_str());
    assert_eq!(signs, [Some(";"), Some("windows-1252"), Some(",")]);
    assert_eq!(
        (&manifest["columns"][1]["number"], &manifest["columns"][2]["number"]),
        (&true.into(), &serde_json::Value::Null)
    );
    // The records are those of the plain release, one by one.
    stage.release(&clinic(PLAIN), "plain").unwrap();
    assert_eq!(stage.released("plain").lines().count(), text.lines().count());
    // What is no text has no signs to take over.
    released(&stage, &xlsx, &clinic(""), "from-sheet");
    assert!(stage.released("from-sheet").starts_with("größe,kosten,"));
}

#[test]
fn the_bytes_do_not_depend_on_threads_or_order() {
    let (stage, [csv, ..]) = tables();
    let bytes = fs::read(&csv).unwrap();
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    lines[1..].reverse();
    let turned = stage.write("b.csv", lines.concat());
    let outs = [(&csv, 1, "one"), (&csv, 4, "four"), (&turned, 3, "turned")].map(|(data, threads, name)| {
        let out = stage.path(name);
        run(data, &clinic(""), &out, threads).unwrap();
        contents(&out.join("public"))
    });
    assert!(outs[0] == outs[1] && outs[1] == outs[2]);
}

#[test]
fn what_an_encoding_lacks_is_an_error_and_nothing_is_written() {
    let (stage, [.., parquet]) = tables();
    let out = stage.path("out");
    stage.refused(run(&parquet, &clinic("encoding = \"iso-8859-5\"\n"), &out, 2));
    assert!(!out.exists());
}

#[test]
fn ranges_of_mondrian_and_new_numbers_have_the_sign_too() {
    let (stage, [csv, ..]) = tables();
    let text = |method: &str, change: &str| {
        format!(
            "[data]\nencoding = \"windows-1252\"\ndecimal = \",\"\nthousands = \".\"\n\
             [variables.\"größe\"]\nrole = \"quasi-identifying\"\ntype = \"number\"\n\
             [variables.kosten]\nrole = \"insensitive\"\n{change}\
             [variables.ort]\nrole = \"sensitive\"\n[variables.bemerkung]\nrole = \"identifying\"\n\
             [variables.plz]\nrole = \"identifying\"\n[variables.tag]\nrole = \"insensitive\"\n\
             [[privacy]]\nmodel = \"k-anonymity\"\nk = 4\n[method]\n{method}"
        )
    };
    let released = |text: &str, name: &str| {
        let out = released(&stage, &csv, &policy(text), name);
        encoding_rs::WINDOWS_1252.decode(&fs::read(out.join("public/data.csv")).unwrap()).0.into_owned()
    };
    let ranges = released(&text("name = \"mondrian\"\n", "type = \"number\"\n"), "ranges");
    assert!(ranges.contains("\"[150,5; 15"), "{ranges}");
    let walked = text("name = \"random-walk\"\nseed = 1\n", "walk = true\n")
        .replace("type = \"number\"", "hierarchy = { intervals = [20] }");
    let walked = released(&walked.replace("\"insensitive\"\nwalk", "\"quasi-identifying\"\nwalk"), "walked");
    let cells: Vec<&str> = walked.lines().skip(1).filter_map(|line| line.rsplit(';').nth(2)).collect();
    let with_comma = cells.iter().filter(|cell| cell.contains(',')).count();
    assert!(with_comma > 60 && !cells.iter().any(|cell| cell.contains('.')), "{with_comma}: {walked}");
}

#[test]
fn a_release_with_other_signs_is_compared_and_applied() {
    let (stage, [csv, ..]) = tables();
    let policy = clinic("");
    let out = released(&stage, &csv, &policy, "out");
    let compared = |release: &Path| {
        compare::compare(&compare::CompareRequest {
            policy: Some(&policy),
            reading: &policy.data,
            ..requests::compare(&csv, release)
        })
        .unwrap()
    };
    let plain = released(&stage, &csv, &clinic(PLAIN), "plain");
    let (one, other) = (compared(&out), compared(&plain));
    assert!(
        one.columns.contains(&"größe".to_owned()) && one.columns.contains(&"kosten".to_owned()),
        "{:?}",
        one.columns
    );
    assert_eq!(one.columns, other.columns);
    assert_eq!(serde_json::to_value(&one).unwrap(), serde_json::to_value(&other).unwrap());

    stage.apply("out", "data.csv", "again").unwrap();
    let data = |out: &str| fs::read(stage.path(out).join("public/data.csv")).unwrap();
    assert!(data("again") == data("out"), "the mask does the same to the same table");
}

/// The types of the columns of a Parquet file, and its rows as text.
fn parquet_columns(path: &Path) -> (Vec<String>, usize) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(path).unwrap()).unwrap();
    let types = reader.schema().fields().iter().map(|field| field.data_type().to_string()).collect();
    let rows = reader.build().unwrap().map(|batch| batch.unwrap().num_rows()).sum();
    (types, rows)
}

#[test]
fn columns_that_are_released_as_collected_keep_their_type() {
    let (stage, [csv, _, parquet]) = tables();
    let kept = clinic("format = \"parquet\"\ntypes = \"kept\"\n");
    let out = released(&stage, &parquet, &kept, "kept");
    let (types, rows) = parquet_columns(&out.join("public/data.parquet"));
    assert_eq!(types, ["Utf8", "Float64", "Utf8", "Utf8", "Utf8", "Date32"], "bands and codes with a width are text");
    let manifest = fs::read_to_string(out.join("public/manifest.json")).unwrap();
    assert!(manifest.contains("\"type\": \"number\"") && manifest.contains("\"type\": \"date\""), "{manifest}");
    for (from, to) in [("\"type\": \"number\"", "\"type\": \"integer\""), ("\"type\": \"date\"", "\"type\": \"day\"")] {
        fs::write(out.join("public/manifest.json"), manifest.replacen(from, to, 1)).unwrap();
        assert_ne!(faults(&parquet, &kept.data, &out), [""; 0], "{from} for {to}");
    }
    // Text has no types, and without a word all columns are text: one release, whatever the format.
    let texts = clinic("format = \"parquet\"\n");
    for (number, (data, policy)) in [(&csv, &kept), (&csv, &texts), (&parquet, &texts)].into_iter().enumerate() {
        let out = released(&stage, data, policy, &format!("text{number}"));
        let (types, same_rows) = parquet_columns(&out.join("public/data.parquet"));
        assert_eq!((types, same_rows), (vec!["Utf8".to_owned(); 6], rows));
    }
    let data = |number: usize| fs::read(stage.path(format!("text{number}/public/data.parquet"))).unwrap();
    assert!(data(0) == data(1) && data(1) == data(2));
}

#[test]
fn every_kept_type_comes_through_with_its_missing_values() {
    let stage = Stage::with("");
    let path = stage.path("a.parquet");
    let whole = |place: i64| (place != 3).then_some(place * 1_000_000_007 - 5);
    let real = |place: i32| (place != 4).then(|| f64::from(place) * 1e-7 + 1e15);
    let group = |place: usize| Some(["a", "b"][place % 2]);
    let columns: [(&str, ArrayRef); 6] = [
        ("group", Arc::new((0..40).map(group).collect::<StringArray>())),
        ("whole", Arc::new((0..40).map(whole).collect::<Int64Array>())),
        ("real", Arc::new((0..40).map(real).collect::<Float64Array>())),
        ("tiny", Arc::new((0..40).map(|place| Some(f64::from(place) * 1e-9)).collect::<Float64Array>())),
        ("truth", Arc::new((0..40).map(|place| (place != 5).then_some(place % 3 == 0)).collect::<BooleanArray>())),
        ("day", Arc::new((0..40).map(|place| (place != 6).then_some(place * 400 - 8000)).collect::<Date32Array>())),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(name, cells)| (name, cells, true))).unwrap();
    save(&path, &batch);
    let insensitive =
        ["whole", "real", "tiny", "truth", "day"].map(|name| format!("[variables.{name}]\nrole = \"insensitive\"\n"));
    let policy = policy(&format!(
        "[variables.group]\nrole = \"quasi-identifying\"\n{}[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n\
         [output]\nformat = \"parquet\"\ntypes = \"kept\"\n",
        insensitive.concat()
    ));
    let out = released(&stage, &path, &policy, "out");
    let (types, rows) = parquet_columns(&out.join("public/data.parquet"));
    assert_eq!(
        (types, rows),
        (["Utf8", "Int64", "Float64", "Float64", "Boolean", "Date32"].map(String::from).to_vec(), 40)
    );
    // Every number is there again, bit by bit.
    let reader =
        ParquetRecordBatchReaderBuilder::try_new(fs::File::open(out.join("public/data.parquet")).unwrap()).unwrap();
    let released: Vec<RecordBatch> = reader.build().unwrap().map(Result::unwrap).collect();
    let bits = |batches: &[RecordBatch], place: usize| {
        let numbers = batches.iter().flat_map(|batch| batch.column(place).as_primitive::<Float64Type>().iter());
        let mut bits: Vec<Option<u64>> = numbers.map(|number| number.map(f64::to_bits)).collect();
        bits.sort_unstable();
        bits
    };
    for place in [2, 3] {
        assert_eq!(bits(&released, place), bits(std::slice::from_ref(&batch), place));
    }
}

#[test]
fn a_release_that_was_tampered_with_fails_its_audit() {
    let (stage, [csv, ..]) = tables();
    let out = released(&stage, &csv, &clinic(""), "out");
    let manifest = out.join("public/manifest.json");
    let claimed = fs::read_to_string(&manifest).unwrap();
    for (from, to) in [
        ("\"windows-1252\"", "\"koi8-r\""),
        ("\"windows-1252\"", "\"utf-16le\""),
        ("\"delimiter\": \";\"", "\"delimiter\": \"|\""),
        ("\"decimal\": \",\"", "\"decimal\": \";\""),
        ("\"number\": true", "\"number\": false"),
    ] {
        assert!(claimed.contains(from), "{from}");
        fs::write(&manifest, claimed.replacen(from, to, 1)).unwrap();
        assert_ne!(faults(&csv, &clinic("").data, &out), [""; 0], "{from} for {to}");
    }
}
