//! ICD-10: the fourth character, the category, its block, its chapter.
//!
//! A category has a place on a line: its letter, its ten, its last sign, where a letter comes after the nine. A range ends
//! with the place of its last category, and with the letters behind it where that is a ninth.

/// The blocks: for each letter from which number to which, or to which category of another letter.
const BLOCKS: &str = include_str!("icd_10.txt");

const CHAPTERS: &str = "A00-B99 C00-D49 D50-D90 E00-E90 F00-F99 G00-G99 H00-H59 H60-H95 I00-I99 J00-J99 K00-K95 L00-L99 \
                        M00-M99 N00-N99 O00-O99 P00-P96 Q00-Q99 R00-R99 S00-T98 V00-Y99 Z00-Z99 U00-U99";

/// The label of a code at a step.
pub(super) fn label(step: u64, value: &str) -> Option<String> {
    let code = bare(value)?;
    let category: String = code.iter().take(3).collect();
    let chapter = chapters().find(|chapter| has(chapter, &category))?;
    Some(match step {
        1 => code.get(3).map_or_else(|| category.clone(), |fourth| format!("{category}.{fourth}")),
        2 => category,
        3 => block(&category).unwrap_or(chapter),
        _ => chapter,
    })
}

/// Whether this is the range of a block or a chapter; a chapter stands in for a block that is not there.
pub(super) fn is_range(step: u64, label: &str) -> bool {
    chapters().any(|chapter| chapter == label) || (step == 3 && blocks().any(|block| block == label))
}

/// The letters and digits of a code, without its point and its marks.
fn bare(value: &str) -> Option<Vec<char>> {
    let upper = value.to_ascii_uppercase();
    let (code, marks) = upper.trim().split_once(char::is_whitespace).unwrap_or((upper.trim(), ""));
    let are_marks = marks.chars().all(|mark| mark.is_whitespace() || "AGVZLRB+*!†#".contains(mark));
    let code = code.trim_end_matches(|mark| "+*!†#-".contains(mark));
    let letters: Vec<char> = code.chars().collect();
    let letters = match letters.as_slice() {
        [first @ .., '.'] if first.len() >= 3 => first.to_vec(),
        [a, b, c, '.', rest @ ..] => [&[*a, *b, *c], rest].concat(),
        all => all.to_vec(),
    };
    let is_code = (3..=7).contains(&letters.len())
        && letters[0].is_ascii_uppercase()
        && letters[1].is_ascii_digit()
        && letters.iter().all(char::is_ascii_alphanumeric);
    (are_marks && is_code).then_some(letters)
}

fn chapters() -> impl Iterator<Item = String> {
    CHAPTERS.split_whitespace().map(str::to_owned)
}

fn blocks() -> impl Iterator<Item = String> {
    BLOCKS.lines().flat_map(|line| {
        let (letter, ranges) = line.split_once(' ').unwrap_or_default();
        ranges.split(' ').map(move |range| {
            let (first, last) = range.split_once('-').unwrap_or_default();
            let last = if last.len() == 3 { last.to_owned() } else { format!("{letter}{last}") };
            format!("{letter}{first}-{last}")
        })
    })
}

/// The block of a category. Some that end with a letter stand elsewhere than the order says.
fn block(category: &str) -> Option<String> {
    let neighbour = match category {
        "C4A" => "C43",
        "I1A" => "I10",
        "I5A" => "I30",
        "J4A" => "J40",
        "M1A" => "M05",
        other => other,
    };
    blocks().find(|block| has(block, neighbour))
}

/// Whether a range holds a category.
fn has(range: &str, category: &str) -> bool {
    let Some((first, last)) = range.split_once('-') else { return false };
    let places = [first, category, last].map(place);
    matches!(places, [Some(first), Some(category), Some(last)] if first <= category && category <= last + 9)
}

/// The place of a category on the line.
fn place(category: &str) -> Option<u32> {
    let [letter, ten, last] = <[u8; 3]>::try_from(category.as_bytes()).ok()?;
    let last = if last.is_ascii_digit() { u32::from(last - b'0') * 10 } else { 95 };
    Some(u32::from(letter) * 1000 + u32::from(ten.checked_sub(b'0')?) * 100 + last)
}
