//! How many bytes the texts of a column have once they are written out: views and dictionaries may say one text again and again.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, OffsetSizeTrait, StringArray};
use arrow_schema::DataType;

/// Dictionaries of no longer texts are not looked into.
const SHORT: u64 = 256;

/// The texts of a column of any type, those of numbers nothing.
pub(super) fn of(array: &ArrayRef) -> u64 {
    match array.data_type() {
        DataType::Utf8 => between(array.as_string::<i32>().value_offsets()),
        DataType::LargeUtf8 => between(array.as_string::<i64>().value_offsets()),
        DataType::Utf8View => array.as_string_view().lengths().map(u64::from).sum(),
        DataType::Dictionary(..) => {
            let lengths = lengths(array.as_any_dictionary().values());
            of_keys(array, lengths.iter().copied().max().unwrap_or(0), &lengths)
        }
        _ => 0,
    }
}

/// Texts that lie one behind the other.
pub(super) fn of_texts(texts: &StringArray) -> u64 {
    between(texts.value_offsets())
}

/// The longest of them.
pub(super) fn longest(texts: &StringArray) -> u64 {
    texts.value_offsets().windows(2).map(between).max().unwrap_or(0)
}

/// The texts of a dictionary of plain texts, the longest of which is known.
pub(super) fn of_dictionary(array: &ArrayRef, longest: u64) -> u64 {
    if longest <= SHORT { 0 } else { of_keys(array, longest, &lengths(array.as_any_dictionary().values())) }
}

fn of_keys(array: &ArrayRef, longest: u64, lengths: &[u64]) -> u64 {
    if longest <= SHORT {
        return longest * array.len() as u64;
    }
    let dictionary = array.as_any_dictionary();
    if lengths.is_empty() {
        return 0;
    }
    let keys = dictionary.normalized_keys();
    let valid = (0..array.len()).filter(|record| array.is_valid(*record));
    valid.filter_map(|record| lengths.get(*keys.get(record)?)).sum()
}

/// The length of each text.
fn lengths(texts: &ArrayRef) -> Vec<u64> {
    match texts.data_type() {
        DataType::Utf8 => texts.as_string::<i32>().value_offsets().windows(2).map(between).collect(),
        DataType::LargeUtf8 => texts.as_string::<i64>().value_offsets().windows(2).map(between).collect(),
        DataType::Utf8View => texts.as_string_view().lengths().map(u64::from).collect(),
        _ => Vec::new(),
    }
}

fn between<O: OffsetSizeTrait>(offsets: &[O]) -> u64 {
    let length = offsets.first().zip(offsets.last()).map_or(0, |(first, last)| last.as_usize() - first.as_usize());
    length as u64
}
