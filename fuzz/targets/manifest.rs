//! The manifest: what the audit accepts has no field that no claim explains.
//!
//! The bytes are the manifest of a folder whose other files are fixed. Never a panic. Where the audit passes, every key and every text is
//! a word of format 1, a name or a cell of the data, or a number. The name of the column of people is either released or told.
#![no_main]

use equanym_fuzz::{audited, explained, mutation};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|bytes: &[u8]| {
    let Some(verdict) = audited::manifest(bytes).filter(equanym_audit::Verdict::passed) else { return };
    let strange = explained::strange(bytes, &verdict);
    assert!(strange.is_empty(), "nobody explains {strange:?}");
});

fuzz_mutator!(|bytes: &mut [u8], size: usize, most: usize, seed: u32| {
    let changed = bytes.get(..size).and_then(|known| mutation::mutate(known, seed));
    match changed.filter(|changed| changed.len() <= most) {
        Some(changed) => {
            bytes[..changed.len()].copy_from_slice(&changed);
            changed.len()
        }
        None => fuzzer_mutate(bytes, size, most),
    }
});
