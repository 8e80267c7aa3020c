//! Short ways to write a table or a policy.

use toml::{Table, Value};

use super::fence::{Block, Fault};

/// A table whose last column says how many records each row stands for.
pub fn expand(block: &Block) -> Result<String, Fault> {
    let mut lines = (block.line + 1..).zip(block.text.lines());
    let header = lines.next().and_then(|(_, line)| line.strip_suffix(",records"));
    let header = header.ok_or_else(|| block.fault("the last column of a counted table is `records`"))?;
    let mut text = format!("{header}\n");
    for (number, line) in lines {
        let parsed = line.rsplit_once(',').and_then(|(row, count)| Some((row, count.parse::<usize>().ok()?)));
        let (row, count) = parsed.ok_or_else(|| Fault::new(number, "the last cell is no number of records"))?;
        text.push_str(&format!("{row}\n").repeat(count));
    }
    Ok(text)
}

/// An earlier policy with the keys of a block replaced. Tables of the policy and of its variables are merged; what they
/// hold, `hierarchy = …` for instance, is replaced as a whole.
pub fn change(earlier: &str, block: &Block) -> Result<String, Fault> {
    let read = |text: &str| text.parse::<Table>().map_err(|error| block.fault(error.to_string()));
    let mut policy = read(earlier)?;
    merge(&mut policy, read(&block.text)?, 2);
    toml::to_string(&policy).map_err(|error| block.fault(error.to_string()))
}

fn merge(table: &mut Table, changes: Table, depth: usize) {
    for (key, change) in changes {
        match (table.get_mut(&key), change) {
            (Some(Value::Table(inner)), Value::Table(changes)) if depth > 0 => merge(inner, changes, depth - 1),
            (_, change) => drop(table.insert(key, change)),
        }
    }
}

/// A table with its rows in reverse order.
pub fn reverse(table: &str) -> String {
    let (header, rows) = table.split_once('\n').unwrap_or((table, ""));
    let lines = std::iter::once(header).chain(rows.lines().rev());
    lines.flat_map(|line| [line, "\n"]).collect()
}
