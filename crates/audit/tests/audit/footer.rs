//! Parquet footers, indexes and page headers that claim what is not there: refused before anything is reserved.

use crate::release::{Release, only_failure, parquet_bytes, properties, rows, two_groups};
use crate::thrift::{Node, changed, integer, join, list_head, prefix, split};

const RECORDS: i64 = 3;
const GROUPS: i64 = 4;
const MANY: u64 = (1 << 31) - 1;

#[track_caller]
fn refused(bytes: &[u8], why: &str) {
    assert_eq!(only_failure(&Release::parquet_of(bytes)), why);
}

const CLAIMS: &str = "a footer that claims what is not there";
const PAGES: &str = "pages that claim what is not there";
const HOLLOW: &str = "more records than its bytes can tell of";
const COUNT: &str = "another number of records in the footer than in its row groups";

#[test]
fn more_row_groups_than_bytes() {
    let (body, _) = split(&parquet_bytes(&rows()));
    let mut footer = vec![0x49];
    list_head(MANY, 12, &mut footer);
    footer.push(0);
    refused(&join(&body, &footer), CLAIMS);
}

#[test]
fn more_pages_in_an_index_than_bytes() {
    // An offset index is a struct whose first field lists its pages; a column index begins with a list of flags.
    for (field, kind) in [(4, 12), (6, 1)] {
        let file = parquet_bytes(&rows());
        let (mut body, mut footer) = split(&file);
        let mut index = vec![0x19];
        list_head(MANY, kind, &mut index);
        index.push(0);
        let chunk = &mut footer.field(GROUPS).items()[0].field(1).items()[0];
        chunk.set(field, Node::Integer(6, i64::try_from(body.len()).unwrap()));
        chunk.set(field + 1, Node::Integer(5, i64::try_from(index.len()).unwrap()));
        body.extend(index);
        // The index is not read at all; that it is not the release's own is seen by writing it again.
        refused(&join(&body, &footer.bytes()), "other bytes, in which values may hide");
    }
}

#[test]
fn other_numbers_of_records() {
    let file = parquet_bytes(&rows());
    for number in [0, 15, 17, 1 << 31, i64::MAX] {
        refused(&changed(&file, |footer| footer.set(RECORDS, Node::Integer(6, number))), COUNT);
    }
    refused(&changed(&file, |footer| footer.set(RECORDS, Node::Integer(6, -1))), CLAIMS);
    for number in [0, 15, 17, 1 << 31] {
        let both = |footer: &mut Node| {
            footer.set(RECORDS, Node::Integer(6, number));
            footer.field(GROUPS).items()[0].set(3, Node::Integer(6, number));
        };
        refused(&changed(&file, both), if number > 17 { HOLLOW } else { PAGES });
    }
}

#[test]
fn one_of_two_row_groups_listed() {
    let file = two_groups(&rows(), properties().build(), None);
    refused(&changed(&file, |footer| drop(footer.field(GROUPS).items().pop())), COUNT);
    let hidden = changed(&file, |footer| {
        footer.field(GROUPS).items().pop();
        footer.set(RECORDS, Node::Integer(6, 8));
    });
    let failures = Release::parquet_of(&hidden).failures();
    assert!(failures.contains(&"records") && failures.contains(&"plain-parquet"), "{failures:?}");
}

#[test]
fn chunks_that_lie_elsewhere() {
    let file = parquet_bytes(&rows());
    for (field, number) in [(7, -1), (7, 1 << 40), (7, 1), (9, -1), (11, -1), (11, 0), (11, 1 << 40), (11, i64::MAX)] {
        let bytes = changed(&file, |footer| {
            let chunk = &mut footer.field(GROUPS).items()[0].field(1).items()[0];
            chunk.field(3).set(field, Node::Integer(6, number));
        });
        assert_eq!(Release::parquet_of(&bytes).failures(), ["rows"], "{field} {number}");
    }
}

#[test]
fn a_column_too_few_or_too_many() {
    let file = parquet_bytes(&rows());
    let one_less = changed(&file, |footer| drop(footer.field(GROUPS).items()[0].field(1).items().pop()));
    refused(&one_less, CLAIMS);
    let no_schema = changed(&file, |footer| footer.remove(2));
    refused(&no_schema, CLAIMS);
    let nested = changed(&file, |footer| footer.field(2).items()[1].set(5, Node::Integer(5, 1)));
    refused(&nested, CLAIMS);
}

#[test]
fn bytes_behind_the_footer() {
    let (body, footer) = split(&parquet_bytes(&rows()));
    refused(&join(&body, &[footer.bytes(), b"withheld".to_vec()].concat()), CLAIMS);
}

/// The header of the first page of the first column: a dictionary.
fn with_page(change: impl FnOnce(&mut Node)) -> Vec<u8> {
    let (body, mut footer) = split(&parquet_bytes(&rows()));
    // The page begins behind the magic word.
    let mut rest = body[4..].to_vec();
    let mut page = prefix(&mut rest);
    let before = page.bytes().len();
    change(&mut page);
    let after = page.bytes();
    let grown = i64::try_from(after.len()).unwrap() - i64::try_from(before).unwrap();
    let body = [&b"PAR1"[..], &after, &rest].concat();
    shift(&mut footer, grown);
    join(&body, &footer.bytes())
}

/// Moves everything but the first chunk, which grows.
fn shift(footer: &mut Node, by: i64) {
    let add = |node: &mut Node| {
        if let Node::Integer(_, number) = node {
            *number += by;
        }
    };
    for (place, chunk) in footer.field(GROUPS).items()[0].field(1).items().iter_mut().enumerate() {
        for index in [4, 6] {
            add(chunk.field(index));
        }
        let metadata = chunk.field(3);
        add(metadata.field(9));
        add(metadata.field(if place == 0 { 7 } else { 11 }));
    }
}

/// Bytes behind the last page of the first chunk, which the footer counts in.
#[test]
fn bytes_between_pages() {
    let (mut body, mut footer) = split(&parquet_bytes(&rows()));
    let chunk = &mut footer.field(GROUPS).items()[0].field(1).items()[0];
    let Node::Integer(_, size) = *chunk.field(3).field(7) else { panic!("no size") };
    // A page of its own, which readers pass over: its kind is that of an index.
    let hidden = b"withheld";
    let page = Node::Struct(vec![(1, Node::Integer(5, 1)), (2, Node::Integer(5, 8)), (3, Node::Integer(5, 8))]);
    let page = [page.bytes(), hidden.to_vec()].concat();
    let end = 4 + usize::try_from(size).unwrap();
    let grown = i64::try_from(page.len()).unwrap();
    body.splice(end..end, page);
    shift(&mut footer, grown);
    // The first chunk stays where it is.
    let chunk = &mut footer.field(GROUPS).items()[0].field(1).items()[0];
    let Node::Integer(_, first) = chunk.field(3).field(9) else { panic!("no place") };
    *first -= grown;
    refused(&join(&body, &footer.bytes()), "other bytes, in which values may hide");
    // The same without a header is no page.
    let (mut body, mut footer) = split(&parquet_bytes(&rows()));
    body.splice(end..end, *hidden);
    shift(&mut footer, 8);
    assert_eq!(Release::parquet_of(&join(&body, &footer.bytes())).failures(), ["rows"]);
}

#[test]
fn pages_that_claim_too_much() {
    assert_eq!(only_failure_or_none(&with_page(|_| ())), None, "nothing changed");
    refused(&with_page(|page| page.field(7).set(1, Node::Integer(5, i64::from(i32::MAX)))), PAGES);
    refused(&with_page(|page| page.field(7).set(1, Node::Integer(5, -1))), PAGES);
    refused(&with_page(|page| page.set(2, Node::Integer(5, i64::from(i32::MAX)))), PAGES);
    refused(&with_page(|page| page.set(3, Node::Integer(5, i64::from(i32::MAX)))), PAGES);
    refused(&with_page(|page| page.set(3, Node::Integer(5, -1))), PAGES);
    refused(&with_page(|page| page.set(9, Node::Text(vec![b'x'; 9000]))), PAGES);
    refused(&with_page(|page| page.set(9, Node::text("withheld"))), "other bytes, in which values may hide");
}

fn only_failure_or_none(bytes: &[u8]) -> Option<String> {
    let verdict = Release::parquet_of(bytes).audit();
    verdict.failures().next().map(|check| check.found.clone())
}

#[test]
fn a_number_without_end() {
    let (body, _) = split(&parquet_bytes(&rows()));
    refused(&join(&body, &[0x36, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]), CLAIMS);
    let mut deep = vec![0x1c; 200_000];
    deep.extend(vec![0; 200_001]);
    refused(&join(&body, &deep), CLAIMS);
    let mut negative = vec![0x36];
    integer(-5, &mut negative);
    negative.push(0);
    refused(&join(&body, &negative), CLAIMS);
}
