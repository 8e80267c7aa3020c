//! Delimited text.

use std::fs;

use equanym_engine::read::{Encoding, RaggedRecords, Reading, open};

use super::{CANARY, Folder, plain, read, read_columns, read_source, refusal, refused, shown};

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(unit).collect()
}

#[test]
fn cells_are_taken_as_they_stand() {
    let folder = Folder::new();
    let path = folder.file("a.csv", "a,b\n x ,\"1,\"\"2\"\"\n3\"\r\n,NA\n18446744073709551616123,-0\n1e5,100000.0\n");
    assert_eq!(plain(&path), [" x |1,\"2\"\n3", "~|NA", "18446744073709551616123|-0", "1e5|100000.0"]);
}

#[test]
fn the_last_line_end_may_be_absent_and_empty_lines_are_no_records() {
    let folder = Folder::new();
    for text in ["a,b\n1,2\n3,4", "\n\na,b\r\n\r\n1,2\r\n3,4\r\n\r\n", "a,b\r1,2\r3,4\r", "a,b\n1,2\n3,\"4\""] {
        assert_eq!(plain(&folder.file("a.csv", text)), ["1|2", "3|4"], "{text:?}");
    }
}

#[test]
fn one_empty_quoted_cell_is_a_record() {
    let folder = Folder::new();
    assert_eq!(plain(&folder.file("a.csv", "a\n\"\"\nx\n")), ["~", "x"]);
}

#[test]
fn utf8_mark_is_dropped() {
    let folder = Folder::new();
    let path = folder.file("a.csv", "\u{FEFF}name,b\n1,2\n");
    assert_eq!(open(&path, &Reading::default()).unwrap().columns(), ["name", "b"]);
    assert_eq!(plain(&path), ["1|2"]);
}

#[test]
fn utf16_with_a_mark_is_decoded() {
    let folder = Folder::new();
    let text = "näme;b\nZoë;😀\n";
    for unit in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
        let path = folder.file("a.csv", utf16(text, unit));
        assert_eq!(open(&path, &Reading::default()).unwrap().columns(), ["näme", "b"]);
        assert_eq!(plain(&path), ["Zoë|😀"]);
        let only_utf8 = Reading { encoding: Encoding::Utf8, ..Reading::default() };
        refusal(&path, &only_utf8, 2);
    }
}

#[test]
fn another_encoding_is_read_where_it_is_named() {
    let folder = Folder::new();
    let path = folder.file("a.csv", b"stra\xDFe;n\n\x80 caf\xE9;1\n");
    refusal(&path, &Reading::default(), 2);
    let named = Reading { encoding: Encoding::named("Windows-1252").unwrap(), ..Reading::default() };
    assert_eq!(open(&path, &named).unwrap().columns(), ["straße", "n"]);
    assert_eq!(shown(&path, &named), ["€ café|1"]);
    // A mark says what the text is, whatever was named.
    refusal(&folder.file("b.csv", "\u{FEFF}a,b\n1,2\n"), &named, 2);
}

#[test]
fn broken_text_is_refused_and_never_replaced() {
    let folder = Folder::new();
    let latin1 = [b"a,b\n1,2\n", CANARY.as_bytes(), b",Zo\xEB\n"].concat();
    refused(&folder.file("a.csv", latin1));
    // Two halves of a character in neighbouring cells are valid bytes when joined.
    refused(&folder.file("a.csv", b"a,b\nx\xC3,\xA9\n"));
    let mut lone = utf16("a,b\n1,2\n3,", u16::to_le_bytes);
    lone.extend([0x00, 0xD8, b'\n', 0]);
    refused(&folder.file("a.csv", lone));
}

#[test]
fn broken_text_in_an_unread_column_is_refused_too() {
    let folder = Folder::new();
    let source = open(&folder.file("a.csv", b"a,b\n1,\xFF\n"), &Reading::default()).unwrap();
    assert!(read_columns(&source, &[0]).is_err());
}

#[test]
fn nul_byte_has_row_column_and_offset() {
    let folder = Folder::new();
    let bytes = format!("id,name\n1,{CANARY}\n2,{CANARY}\0x\n");
    refused(&folder.file("a.csv", &bytes));
    refused(&folder.file("a.csv", b"a,b\0\n1,2\n"));
}

#[test]
fn nul_byte_far_in_the_file_is_found_in_its_row() {
    let folder = Folder::new();
    let mut bytes = b"id,name\n".to_vec();
    bytes.extend(b"12345,abcdefgh\n".repeat(200_000));
    bytes.extend(b"9,\0\n");
    bytes.extend(b"1,2\n".repeat(10));
    refused(&folder.file("a.csv", bytes));
}

#[test]
fn ragged_rows_are_refused_with_both_counts() {
    let folder = Folder::new();
    let short = format!("a,b,c\n1,2,3\n{CANARY},5\n");
    refused(&folder.file("a.csv", short));
    let long = format!("a,b,c\r\n\"x\ny\",2,3\r\n{CANARY},5,6,7,8,9,10,11\r\n");
    refused(&folder.file("a.csv", long));
}

#[test]
fn short_rows_are_filled_on_request_and_counted_once() {
    let folder = Folder::new();
    let path = folder.file("a.csv", "a,b,c\n1,2,3\n4,5\n6\n");
    let reading = Reading { ragged: RaggedRecords::Null, ..Reading::default() };
    let source = open(&path, &reading).unwrap();
    assert_eq!(source.notes().filled_records, 0);
    for _ in 0..2 {
        assert_eq!(read_columns(&source, &[2]).unwrap(), [[Some("3".to_owned())], [None], [None]]);
        assert_eq!(source.notes().filled_records, 2);
    }
    refusal(&folder.file("b.csv", "a,b\n1,2,3\n"), &reading, 2);
}

#[test]
fn headers_need_names_that_differ() {
    let folder = Folder::new();
    refused(&folder.file("a.csv", "a,b,c,b\n"));
    refused(&folder.file("a.csv", "a,,c\n"));
    refused(&folder.file("a.csv", format!("a,b,\n1,{CANARY},\n")));
}

#[test]
fn hostile_names_are_names() {
    let folder = Folder::new();
    let path = folder.file("a.csv", "\"\"\"; DROP TABLE x; --\",../../etc,\"a\u{1b}[2J\nb\"\n1,2,3\n4,5\n");
    assert_eq!(
        open(&path, &Reading::default()).unwrap().columns(),
        ["\"; DROP TABLE x; --", "../../etc", "a\u{1b}[2J\nb"]
    );
    refused(&path);
    refused(&folder.file("a.csv", "a\u{1b}[2J,a\u{1b}[2J\n"));
}

#[test]
fn open_quote_is_reported_where_it_opens() {
    let folder = Folder::new();
    let text = format!("a,b\n1,2\n3,\"{CANARY}\n5,6\n7,8\n");
    refused(&folder.file("a.csv", text));
    refused(&folder.file("a.csv", "a,\"b\n"));
    refused(&folder.file("a.csv", "a,b\n1,\""));
}

#[test]
fn endless_field_stops_at_the_limit() {
    let folder = Folder::new();
    let path = folder.file("a.csv", "a,b\n1,2\n");
    let file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    // A hole of 1 GiB: zeros without a line end.
    file.set_len(1 << 30).unwrap();
    refused(&path);
}

#[test]
fn the_field_limit_is_exact() {
    let folder = Folder::new();
    let reading = Reading { field_limit: 5, ..Reading::default() };
    assert_eq!(shown(&folder.file("a.csv", "a,b\n12345,\"1\"\"345\"\n"), &reading), ["12345|1\"345"]);
    refusal(&folder.file("a.csv", "a,b\n1,2\n1,123456\n"), &reading, 2);
    let long = format!("a,b\n1,{}\n", "x".repeat(3 << 20));
    refusal(&folder.file("a.csv", &long), &Reading { field_limit: 1 << 20, ..reading }, 2);
    assert_eq!(read(&folder.file("a.csv", &long), &Reading::default()).unwrap().len(), 1);
}

#[test]
fn many_fields_at_the_limit_do_not_add_up() {
    let folder = Folder::new();
    let reading = Reading { field_limit: 1 << 16, ..Reading::default() };
    let names: Vec<String> = (0..6).map(|n| format!("c{n}")).collect();
    let row = vec!["x".repeat(1 << 16); 6].join(",");
    refusal(&folder.file("a.csv", format!("{}\n{row}\n", names.join(","))), &reading, 2);
}

#[test]
fn rows_that_are_long_without_end_are_counted_in_bounded_memory() {
    let folder = Folder::new();
    let text = format!("a,b\n{}\n", vec!["x"; 1_000_000].join(","));
    refused(&folder.file("a.csv", text));
    let header = vec!["x"; 200_000].join(",");
    refused(&folder.file("a.csv", header));
}

#[test]
fn empty_files_are_empty_input() {
    let folder = Folder::new();
    for text in ["", "\n\r\n", "\u{FEFF}"] {
        refused(&folder.file("a.csv", text));
    }
}

#[test]
fn header_alone_is_a_table_without_records() {
    let folder = Folder::new();
    for text in ["a,b", "a,b\n"] {
        assert!(plain(&folder.file("a.csv", text)).is_empty());
    }
}

#[test]
fn the_delimiter_is_found_or_set() {
    let folder = Folder::new();
    for delimiter in [',', ';', '\t', '|'] {
        let text = "a,b\n1,2\n".replace(',', &delimiter.to_string());
        let source = open(&folder.file("a.csv", text), &Reading::default()).unwrap();
        assert_eq!(source.delimiter(), Some(delimiter));
        assert_eq!(source.columns(), ["a", "b"]);
    }
    let path = folder.file("a.csv", "a;b;c\n1;2;3\n");
    let source = open(&path, &Reading { delimiter: Some(b','), ..Reading::default() }).unwrap();
    assert_eq!((source.columns().len(), source.delimiter()), (1, Some(',')));
    assert_eq!(
        shown(&folder.file("a.csv", "a:b\n1:2\n"), &Reading { delimiter: Some(b':'), ..Reading::default() }),
        ["1|2"]
    );
    refusal(&path, &Reading { delimiter: Some(b'"'), ..Reading::default() }, 2);
    refusal(&path, &Reading { delimiter: Some(0xE9), ..Reading::default() }, 2);
}

#[test]
fn tsv_has_tabs() {
    let folder = Folder::new();
    assert_eq!(plain(&folder.file("a.tsv", "a,x\tb\n1\t2,3\n")), ["1|2,3"]);
}

#[test]
fn blanks_distinguish_values_unless_trimmed() {
    let folder = Folder::new();
    let path = folder.file("a.csv", " a ,b\n x\u{A0},\u{200B}y \n \u{2003},z\n");
    assert_eq!(open(&path, &Reading::default()).unwrap().columns(), [" a ", "b"]);
    assert_eq!(plain(&path), [" x\u{A0}|\u{200B}y ", " \u{2003}|z"]);
    let reading = Reading { trim: true, ..Reading::default() };
    assert_eq!(open(&path, &reading).unwrap().columns(), ["a", "b"]);
    assert_eq!(shown(&path, &reading), ["x|y", "~|z"]);
}

#[test]
fn composed_and_decomposed_letters_differ_unless_normalised() {
    let folder = Folder::new();
    let path = folder.file("a.csv", "a,b\nZo\u{EB},Zoe\u{308}\n");
    assert_eq!(plain(&path), ["Zo\u{EB}|Zoe\u{308}"]);
    assert_eq!(shown(&path, &Reading { normalise: true, ..Reading::default() }), ["Zo\u{EB}|Zo\u{EB}"]);
}

#[test]
fn only_declared_tokens_are_missing() {
    let folder = Folder::new();
    let path = folder.file("a.csv", "a,b,c,d\n,NA,NULL,\\N\n NA,x,NA ,-99\n");
    assert_eq!(plain(&path), ["~|NA|NULL|\\N", " NA|x|NA |-99"]);
    let missing = vec!["NA".to_owned(), "-99".to_owned()];
    let reading = Reading { missing, ..Reading::default() };
    assert_eq!(shown(&path, &reading), ["~|~|NULL|\\N", " NA|x|NA |~"]);
    assert_eq!(shown(&path, &Reading { trim: true, ..reading }), ["~|~|NULL|\\N", "~|x|~|~"]);
}

#[test]
fn columns_come_in_the_order_asked_for() {
    let folder = Folder::new();
    let source = open(&folder.file("a.csv", "a,b,c\n1,2,3\n4,5,6\n"), &Reading::default()).unwrap();
    let cells =
        |rows: &[[&str; 2]]| rows.iter().map(|row| row.map(|cell| Some(cell.to_owned())).to_vec()).collect::<Vec<_>>();
    assert_eq!(read_columns(&source, &[2, 0]).unwrap(), cells(&[["3", "1"], ["6", "4"]]));
    assert_eq!(source.read(0, &[]).unwrap().map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 2);
    assert_eq!(source.read(0, &[3]).err().unwrap().exit_code(), 2);
    assert_eq!(source.read(1, &[0]).err().unwrap().exit_code(), 2);
}

#[test]
fn batches_are_as_large_as_asked_and_nothing_follows_an_error() {
    let folder = Folder::new();
    let path = folder.file("a.csv", "a\n1\n2\n3\n4,5\n6\n7\n");
    let source = open(&path, &Reading { batch_records: 2, ..Reading::default() }).unwrap();
    let mut batches = source.read(0, &[0]).unwrap();
    assert_eq!(batches.next().unwrap().unwrap().num_rows(), 2);
    assert!(batches.next().unwrap().is_err());
    assert!(batches.next().is_none());
}

#[test]
fn an_empty_line_of_one_column_is_a_missing_value() {
    let folder = Folder::new();
    let check = |text: &str, expected: &[&str]| {
        for end in ["\n", "\r\n", "\r"] {
            let path = folder.file("a.csv", text.replace('\n', end));
            assert_eq!(plain(&path), expected, "{text:?} with {end:?}");
        }
    };
    check("a\n1\n\n2\n", &["1", "~", "2"]);
    check("a\n\n\n1\n\n", &["~", "~", "1", "~"]);
    check("\n\na\n1\n\n2", &["1", "~", "2"]);
    check("a\n\"\"\n\n", &["~", "~"]);
    // A line end between two chunks.
    let long = "x".repeat((1 << 20) - 4);
    let path = folder.file("a.csv", format!("a\n{long}\r\n\r\n2\r\n"));
    assert_eq!(plain(&path), [long.as_str(), "~", "2"]);
}

#[test]
fn line_ends_of_several_kinds_are_noted() {
    let folder = Folder::new();
    let check = |text: &str, files: u64| {
        let source = open(&folder.file("a.csv", text), &Reading::default()).unwrap();
        read_source(&source).unwrap();
        assert_eq!(source.notes().mixed_line_ends, files, "{text:?}");
    };
    for end in ["\n", "\r\n", "\r"] {
        check(&format!("a,b{end}1,2{end}{end}3,4{end}"), 0);
        check(&format!("a,b{end}1,\"2\n\r\n\r\"{end}3,4"), 0);
    }
    for text in ["a,b\n1,2\r\n", "a,b\r\n1,2\n3,4\r\n", "a,b\n1,2\r3,4\n", "a\n1\n\r\n"] {
        check(text, 1);
    }
}
