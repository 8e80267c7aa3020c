//! Footers of Parquet that say something else, or something more.

use super::Mutant;
use crate::release::{Release, parquet_bytes, rows};
use crate::thrift::{Node, changed};

const VERSION: i64 = 1;
const SCHEMA: i64 = 2;
const GROUPS: i64 = 4;
const NOTES: i64 = 5;
const MAKER: i64 = 6;

type Change = (&'static str, fn(&mut Node));

/// Every change of the footer.
pub fn mutants() -> Vec<Mutant> {
    let honest = parquet_bytes(&rows());
    let changes = [of_file(), of_chunk(), of_schema()];
    let changes = changes.into_iter().flatten();
    changes.map(|(what, change)| (what.to_owned(), Release::parquet_of(&changed(&honest, change)))).collect()
}

fn group(footer: &mut Node) -> &mut Node {
    &mut footer.field(GROUPS).items()[0]
}

fn chunk(footer: &mut Node) -> &mut Node {
    &mut group(footer).field(1).items()[0]
}

/// `ColumnMetaData` of the first chunk.
fn metadata(footer: &mut Node) -> &mut Node {
    chunk(footer).field(3)
}

fn column(footer: &mut Node) -> &mut Node {
    &mut footer.field(SCHEMA).items()[1]
}

fn note() -> Node {
    Node::List(12, vec![Node::Struct(vec![(1, Node::text("name")), (2, Node::text("withheld"))])])
}

fn stray(node: &mut Node) {
    node.set(99, Node::text("withheld"));
}

fn of_file() -> Vec<Change> {
    vec![
        ("another version", |footer| footer.set(VERSION, Node::Integer(5, 7))),
        ("a note", |footer| footer.set(NOTES, note())),
        ("no maker", |footer| footer.remove(MAKER)),
        ("a field that nobody knows", stray),
        ("such a field of a group", |footer| stray(group(footer))),
        ("no row groups", |footer| footer.field(GROUPS).items().clear()),
        ("a row group twice", |footer| {
            let groups = footer.field(GROUPS).items();
            groups.push(groups[0].clone());
        }),
        ("an order of records", |footer| {
            let order = Node::Struct(vec![(1, Node::Integer(5, 0)), (2, Node::Flag(true)), (3, Node::Flag(true))]);
            group(footer).set(4, Node::List(12, vec![order]));
        }),
    ]
}

fn of_chunk() -> Vec<Change> {
    vec![
        ("a note of a chunk", |footer| metadata(footer).set(8, note())),
        ("a stray field of a chunk", |footer| stray(chunk(footer))),
        ("a stray field of its metadata", |footer| stray(metadata(footer))),
        ("a file path", |footer| chunk(footer).set(1, Node::text("withheld"))),
        ("deprecated statistics", |footer| {
            let statistics = metadata(footer).field(12);
            statistics.set(1, Node::text("withheld"));
            statistics.set(2, Node::text("withheld"));
        }),
        ("statistics of no record", |footer| metadata(footer).field(12).set(5, Node::text("withheld"))),
        ("a filter that is not there", |footer| {
            metadata(footer).set(14, Node::Integer(6, 4));
            metadata(footer).set(15, Node::Integer(5, 20));
        }),
        ("no dictionary", |footer| metadata(footer).remove(11)),
        ("no page index", |footer| chunk(footer).remove(4)),
    ]
}

fn of_schema() -> Vec<Change> {
    vec![
        ("a stray field of the schema", |footer| stray(column(footer))),
        ("a column with another name", |footer| column(footer).set(4, Node::text("withheld"))),
        ("a required column", |footer| column(footer).set(3, Node::Integer(5, 0))),
        ("a repeated column", |footer| column(footer).set(3, Node::Integer(5, 2))),
        ("a column of numbers", |footer| column(footer).set(1, Node::Integer(5, 1))),
        ("a column with a column", |footer| column(footer).set(5, Node::Integer(5, 1))),
        ("another name of the table", |footer| footer.field(SCHEMA).items()[0].set(4, Node::text("withheld"))),
    ]
}
