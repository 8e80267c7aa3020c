//! How cost grows: with records, with distinct keys, with quasi-identifiers.

use crate::facts::ask_child;
use crate::failure::Result;
use crate::figures::{percent, short};
use crate::hospital::Detail;
use crate::large::count;
use crate::markdown;
use crate::settings::Settings;
use crate::single::Stay;

/// Measures all three and describes them.
pub fn report(settings: &Settings) -> Result<String> {
    let mut parts = vec![
        format!("### Records\n\n{}", records(settings)?),
        format!("### Distinct keys\n\n{}", keys(settings)?),
        format!("### Quasi-identifiers\n\n{}", columns(settings)?),
    ];
    if settings.large {
        parts.push(format!("### A whole release of ten million records\n\n{}", release()?));
    }
    Ok(parts.join("\n"))
}

fn records(settings: &Settings) -> Result<String> {
    let sizes: &[usize] = if settings.quick { &[10_000, 100_000] } else { &[10_000, 100_000, 1_000_000, 10_000_000] };
    let rows: Result<Vec<_>> = sizes.iter().map(|&size| counted(size, Detail::ALL[0])).collect();
    Ok(described(&rows?))
}

fn keys(settings: &Settings) -> Result<String> {
    let (size, details) = if settings.quick { (100_000, &Detail::ALL[..2]) } else { (1_000_000, &Detail::ALL[..]) };
    let rows: Result<Vec<_>> = details.iter().map(|&detail| counted(size, detail)).collect();
    Ok(described(&rows?))
}

fn described(rows: &[Vec<String>]) -> String {
    let head = ["records", "keys", "s to count", "s to search", "nodes counted", "µs a node and 1,000 keys", "MiB"];
    markdown::table(&head, 0, rows)
}

fn counted(size: usize, detail: Detail) -> Result<Vec<String>> {
    eprintln!("hospital of {size} records, births by {} years", detail.birth);
    let stay = Stay::write(size, detail)?;
    let facts = ask_child(&["count".to_owned(), stay.data().to_string_lossy().into_owned()])?;
    let per_key = || Some(facts.number("seconds")? * 1e9 / facts.number("nodes")? / facts.number("keys")?);
    Ok(vec![
        count(&facts, "records"),
        count(&facts, "keys"),
        facts.written("count", short),
        facts.written("seconds", short),
        count(&facts, "nodes"),
        per_key().map_or_else(|| "–".to_owned(), short),
        facts.peak(),
    ])
}

fn columns(settings: &Settings) -> Result<String> {
    let (counts, seconds): (&[usize], _) =
        if settings.quick { (&[5, 8, 10], "2") } else { (&[5, 8, 10, 12, 15, 20], "10") };
    let mut rows = Vec::new();
    for columns in counts {
        eprintln!("{columns} quasi-identifiers");
        let facts = ask_child(&["wide".to_owned(), columns.to_string(), seconds.to_owned()])?;
        let gap = |gap: f64| if gap == 0.0 { "0: optimal".to_owned() } else { percent(gap) };
        rows.push(vec![
            columns.to_string(),
            count(&facts, "lattice"),
            count(&facts, "keys"),
            count(&facts, "nodes"),
            facts.written("seconds", short),
            facts.written("gap", gap),
            facts.peak(),
        ]);
    }
    let head = ["quasi-identifiers", "nodes in all", "keys", "nodes counted", "s to search", "gap", "MiB"];
    Ok(format!("At most {seconds} s of search.\n\n{}", markdown::table(&head, 0, &rows)))
}

fn release() -> Result<String> {
    let stay = Stay::write(10_000_000, Detail::ALL[0])?;
    let paths = [stay.data(), stay.out()].map(|path| path.to_string_lossy().into_owned());
    eprintln!("a whole release");
    let facts = ask_child(&[&["release-folder".to_owned()][..], &paths[..]].concat())?;
    let parts = ["count", "seconds", "write", "audit"].map(|part| facts.written(part, short));
    let row = [&[count(&facts, "records"), count(&facts, "suppressed")][..], &parts[..], &[facts.peak()][..]].concat();
    let head = ["records", "suppressed", "s to count", "s to search", "s to write", "s to audit", "MiB"];
    Ok(markdown::table(&head, 0, &[row]))
}
