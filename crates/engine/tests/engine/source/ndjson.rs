//! NDJSON.

use equanym_engine::read::{Reading, open};
use proptest::prelude::*;

use super::{CANARY, Folder, plain, read, refusal, refused, shown};

#[test]
fn values_are_text_as_written() {
    let folder = Folder::new();
    let path = folder.file(
        "a.ndjson",
        concat!(
            "\u{FEFF}{\"a\": \"x\", \"b\" : 1, \"c\":true}\n\n",
            " {\"c\":false,\"a\":\"\\u00e9\\n\\ud83d\\ude00\\\"\", \"b\":12345678901234567890123.50}\r\n",
            "{\"b\":-0,\"a\":\"\"}\n{}\n",
            "{\"b\":1e5,\"a\":null}",
        ),
    );
    assert_eq!(plain(&path), ["x|1|true", "é\n😀\"|12345678901234567890123.50|false", "~|0|~", "~|~|~", "~|1e5|~"]);
    let missing = Reading { missing: vec!["1".to_owned()], ..Reading::default() };
    assert_eq!(shown(&path, &missing)[0], "x|~|true");
}

#[test]
fn a_bad_line_has_its_number() {
    let folder = Folder::new();
    let good = format!("{{\"a\":\"{CANARY}\"}}\n");
    for bad in [
        "{\"a\":1",
        "{\"a\":}",
        "{a:1}",
        "[1]",
        "1",
        "{\"a\":1} x",
        "{\"a\":\"\u{1}\"}",
        "{\"a\":\"x}",
        "{\"a\":01}",
        "{\"a\":.5}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":1,}",
        "\0",
    ] {
        let text = format!("{good}\n{bad}\n{good}");
        refused(&folder.file("a.ndjson", text));
    }
    refused(&folder.file("a.ndjson", [good.as_bytes(), b"{\"a\":\"\xFF\"}"].concat()));
}

#[test]
fn keys_are_those_of_the_first_record_each_once() {
    let folder = Folder::new();
    let first = format!("{{\"a\":\"{CANARY}\",\"b\":1}}\n");
    refused(&folder.file("a.ndjson", format!("{first}{{\"{CANARY}\":1}}\n")));
    refused(&folder.file("a.ndjson", format!("{first}{{\"a\":1,\"a\":2}}\n")));
    refused(&folder.file("a.ndjson", "{\"a\":1,\"a\":2}\n"));
    refused(&folder.file("a.ndjson", "{\"\":1}\n"));
    refused(&folder.file("a.ndjson", "{}\n{\"a\":1}\n"));
}

#[test]
fn nested_values_are_refused_at_any_depth() {
    let folder = Folder::new();
    for open in ["[", "{\"a\":"] {
        for depth in [1, 200, 100_000] {
            let text = format!("{{\"a\":1}}\n{{\"a\":{}", open.repeat(depth));
            refused(&folder.file("a.ndjson", text));
        }
    }
    refused(&folder.file("a.ndjson", "[".repeat(100_000)));
}

#[test]
fn empty_input_and_endless_lines() {
    let folder = Folder::new();
    for text in ["", "\n \r\n"] {
        refused(&folder.file("a.ndjson", text));
    }
    let reading = Reading { field_limit: 10, ..Reading::default() };
    assert_eq!(shown(&folder.file("a.ndjson", "{\"a\":1234}\n{\"a\":5}"), &reading), ["1234", "5"]);
    refusal(&folder.file("a.ndjson", "{\"a\":1}\n{\"a\":12345}\n"), &reading, 2);
    refusal(&folder.file("a.ndjson", format!("{{\"a\":1}}\n{}", " ".repeat(40))), &reading, 2);
    refused(&folder.file("a.ndjson", "{\"a\":1}\n{\"a\":\"\\u0000\"}"));
}

/// Lines that are nearly JSON.
fn line() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,4})?([eE][+-]?[0-9]{1,3})?",
        "\"[a-zé\\\\\"/bu0-9]{0,6}\"",
        "true|false|null|nul|-|\\[\\]|01|1\\.|\"\\\\u00e9\"|\"\\\\ud83d\\\\ude00\"",
    ];
    let pair = ("\"[ab]\"|\"c", "[ \t]{0,2}:[ ]{0,1}", value).prop_map(|(key, colon, value)| key + &colon + &value);
    (prop::collection::vec(pair, 0..3), "[,]{0,1}", "[ }]{0,2}")
        .prop_map(|(pairs, extra, end)| format!("{{{}{extra}}}{end}", pairs.join(", ")))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// We accept exactly the flat objects that the JSON library accepts (but for keys given twice), and read the same.
    #[test]
    fn flat_objects_as_the_library_reads_them(line in line()) {
        let folder = Folder::new();
        let path = folder.file("a.ndjson", format!("{{\"a\":0,\"b\":0,\"c\":0}}\n{line}\n"));
        let ours = read(&path, &Reading::default()).map(|rows| rows[1].clone());
        let library: Option<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(&line).ok();
        let nested = library.as_ref().is_some_and(|map| map.values().any(serde_json::Value::is_array));
        let twice = line.matches("\"a\"").count() > 1 || line.matches("\"b\"").count() > 1;
        // Numbers beyond its float type are an error to the library; we keep their digits.
        let accepted = library.is_some() && !nested;
        if ours.is_ok() && !accepted {
            let huge = serde_json::from_str::<serde_json::Value>(&line).is_err_and(|error| error.to_string().contains("out of range"));
            prop_assert!(huge, "{}", line);
        } else if !twice {
            prop_assert_eq!(ours.is_ok(), accepted, "{}", line);
        }
        if let (Ok(ours), Some(library)) = (ours, library) {
            for (cell, key) in ours.iter().zip(["a", "b", "c"]) {
                let expected = match library.get(key) {
                    None | Some(serde_json::Value::Null) => None,
                    Some(serde_json::Value::String(text)) => Some(text.clone()).filter(|text| !text.is_empty()),
                    Some(serde_json::Value::Number(number)) => {
                        let read: serde_json::Number = serde_json::from_str(cell.as_deref().unwrap()).unwrap();
                        prop_assert!(read == *number || number.as_f64() == Some(0.0));
                        cell.clone()
                    }
                    Some(other) => Some(other.to_string()),
                };
                prop_assert_eq!(cell, &expected);
            }
        }
    }
}

#[test]
fn columns_are_named_in_the_order_of_the_first_record() {
    let folder = Folder::new();
    let source = open(&folder.file("a.jsonl", "{\"z\":1,\"a\\u0062\":2}\n"), &Reading::default()).unwrap();
    assert_eq!(source.columns(), ["z", "ab"]);
    assert_eq!(source.delimiter(), None);
}
