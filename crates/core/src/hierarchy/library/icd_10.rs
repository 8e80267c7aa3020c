//! ICD-10: fourth character, category, block, chapter.
//!
//! The structure of the code says most: `I50.14` is a detail of `I50.1`, which is one of `I50`. Blocks and chapters are
//! ranges of categories, and their ranges are their labels. They are those of the World Health Organization's ICD-10,
//! widened where the American (CM) or the German (GM) modification goes further: `K90-K95`, `U00-U99`. A category of a
//! chapter that is in no block has the chapter's label at the step of the block.
//!
//! Read are `I50`, `I50.1`, `I50.14`, `I5014`, `i50.14`, `I50.-`, codes of up to seven characters, and marks behind them:
//! `I50.14+`, `M16.1 G`.

use super::{Library, StepLabels};
use crate::card::{Card, Promise};

pub(super) const LIBRARY: Library = Library {
    card: Card {
        name: "icd-10",
        summary: "diagnoses: fourth character, category, block, chapter",
        about: "For codes of ICD-10, ICD-10-CM and ICD-10-GM, with or without the point. `I50.14` becomes `I50.1`, `I50`, \
                `I30-I52` and `I00-I99`; a code that ends earlier meets the longer ones from its own step on. Blocks and \
                chapters are those of the World Health Organization, widened where the modifications go further. What \
                stands in no chapter is refused.",
        promises: &[Promise::InWords("each step joins labels of the one below")],
        parameters: &[],
        source: "World Health Organization, ICD-10, version of 2019; ICD-10-CM of the CDC and ICD-10-GM of the BfArM for \
                 what they add",
    },
    example: "I50.14",
    steps: &["fourth character", "category", "block", "chapter"],
    ladder: StepLabels::Codes { label, wanted: "a code of ICD-10, such as I50.14" },
};

/// A code as far as a label needs it.
struct IcdCode {
    category: String,
    fourth: Option<char>,
}

fn label(value: &str, step: usize) -> Option<String> {
    let IcdCode { category, fourth } = read(value)?;
    let range = |(first, last): &(&str, &str)| format!("{first}-{last}");
    let chapter = CHAPTERS.iter().find(|chapter| holds(chapter, &category))?;
    Some(match (step, fourth) {
        (1, Some(fourth)) => format!("{category}.{fourth}"),
        (1 | 2, _) => category,
        (3, _) => block(&category).map_or_else(|| range(chapter), range),
        _ => range(chapter),
    })
}

fn read(value: &str) -> Option<IcdCode> {
    let mut words = value.split_whitespace();
    let code = words.next()?.to_ascii_uppercase();
    if !words.all(|mark| mark.chars().all(is_mark)) {
        return None;
    }
    let code = code.trim_end_matches(['+', '*', '!', '†', '#', '-']);
    let code = code.strip_suffix('.').unwrap_or(code);
    let (category, detail) = code.split_at_checked(3)?;
    let detail = detail.strip_prefix('.').unwrap_or(detail);
    let is_category = match category.as_bytes() {
        [letter, digit, last] => letter.is_ascii_uppercase() && digit.is_ascii_digit() && last.is_ascii_alphanumeric(),
        _ => false,
    };
    let is_detail = detail.len() <= 4 && detail.bytes().all(|letter| letter.is_ascii_alphanumeric());
    (is_category && is_detail).then(|| IcdCode { category: category.to_owned(), fourth: detail.chars().next() })
}

/// A letter that says how sure a diagnosis is, or on which side, or one of the marks of a pair of codes.
fn is_mark(letter: char) -> bool {
    "AGVZLRBagvzlrb+*!†#".contains(letter)
}

/// The block of a category, if it is in one.
fn block(category: &str) -> Option<&'static (&'static str, &'static str)> {
    let lettered = LETTERED.iter().find(|(one, _)| *one == category).map(|(_, first)| *first);
    BLOCKS.iter().find(|block| lettered.map_or_else(|| holds(block, category), |first| block.0 == first))
}

/// Whether a category is in a range. Categories with a letter, such as `O9A`, come after the ninth of their ten.
fn holds((first, last): &(&str, &str), category: &str) -> bool {
    let is_behind_the_ninth = || last.ends_with('9') && category.get(..2) == last.get(..2);
    *first <= category && (category <= *last || is_behind_the_ninth())
}

/// Categories with a letter that belong to the block that starts so, and not to the one before them in the order.
const LETTERED: [(&str, &str); 5] = [("C4A", "C43"), ("I1A", "I10"), ("I5A", "I30"), ("J4A", "J40"), ("M1A", "M05")];

#[rustfmt::skip]
const CHAPTERS: [(&str, &str); 22] = [
    ("A00", "B99"), ("C00", "D49"), ("D50", "D90"), ("E00", "E90"), ("F00", "F99"), ("G00", "G99"), ("H00", "H59"),
    ("H60", "H95"), ("I00", "I99"), ("J00", "J99"), ("K00", "K95"), ("L00", "L99"), ("M00", "M99"), ("N00", "N99"),
    ("O00", "O99"), ("P00", "P96"), ("Q00", "Q99"), ("R00", "R99"), ("S00", "T98"), ("V00", "Y99"), ("Z00", "Z99"),
    ("U00", "U99"),
];

#[rustfmt::skip]
const BLOCKS: &[(&str, &str)] = &[
    // Infections.
    ("A00", "A09"), ("A15", "A19"), ("A20", "A28"), ("A30", "A49"), ("A50", "A64"), ("A65", "A69"), ("A70", "A74"),
    ("A75", "A79"), ("A80", "A89"), ("A90", "A99"), ("B00", "B09"), ("B10", "B10"), ("B15", "B19"), ("B20", "B24"),
    ("B25", "B34"), ("B35", "B49"), ("B50", "B64"), ("B65", "B83"), ("B85", "B89"), ("B90", "B94"), ("B95", "B98"),
    ("B99", "B99"),
    // Neoplasms.
    ("C00", "C14"), ("C15", "C26"), ("C30", "C39"), ("C40", "C41"), ("C43", "C44"), ("C45", "C49"), ("C50", "C50"),
    ("C51", "C58"), ("C60", "C63"), ("C64", "C68"), ("C69", "C72"), ("C73", "C75"), ("C76", "C80"), ("C81", "C96"),
    ("C97", "C97"), ("D00", "D09"), ("D10", "D36"), ("D37", "D48"), ("D49", "D49"),
    // Blood and immunity.
    ("D50", "D53"), ("D55", "D59"), ("D60", "D64"), ("D65", "D69"), ("D70", "D77"), ("D80", "D90"),
    // Hormones, nutrition, metabolism.
    ("E00", "E07"), ("E08", "E14"), ("E15", "E16"), ("E20", "E35"), ("E40", "E46"), ("E50", "E64"), ("E65", "E68"),
    ("E70", "E90"),
    // Mind.
    ("F00", "F09"), ("F10", "F19"), ("F20", "F29"), ("F30", "F39"), ("F40", "F48"), ("F50", "F59"), ("F60", "F69"),
    ("F70", "F79"), ("F80", "F89"), ("F90", "F98"), ("F99", "F99"),
    // Nerves.
    ("G00", "G09"), ("G10", "G14"), ("G20", "G26"), ("G30", "G32"), ("G35", "G37"), ("G40", "G47"), ("G50", "G59"),
    ("G60", "G65"), ("G70", "G73"), ("G80", "G83"), ("G90", "G99"),
    // Eye, then ear.
    ("H00", "H06"), ("H10", "H13"), ("H15", "H22"), ("H25", "H28"), ("H30", "H36"), ("H40", "H42"), ("H43", "H45"),
    ("H46", "H48"), ("H49", "H52"), ("H53", "H54"), ("H55", "H59"),
    ("H60", "H62"), ("H65", "H75"), ("H80", "H83"), ("H90", "H95"),
    // Heart and vessels.
    ("I00", "I02"), ("I05", "I09"), ("I10", "I16"), ("I20", "I25"), ("I26", "I28"), ("I30", "I52"), ("I60", "I69"),
    ("I70", "I79"), ("I80", "I89"), ("I95", "I99"),
    // Breathing.
    ("J00", "J06"), ("J09", "J18"), ("J20", "J22"), ("J30", "J39"), ("J40", "J47"), ("J60", "J70"), ("J80", "J84"),
    ("J85", "J86"), ("J90", "J94"), ("J95", "J99"),
    // Digestion.
    ("K00", "K14"), ("K20", "K31"), ("K35", "K38"), ("K40", "K46"), ("K50", "K52"), ("K55", "K64"), ("K65", "K68"),
    ("K70", "K77"), ("K80", "K87"), ("K90", "K95"),
    // Skin.
    ("L00", "L08"), ("L10", "L14"), ("L20", "L30"), ("L40", "L45"), ("L50", "L54"), ("L55", "L59"), ("L60", "L75"),
    ("L80", "L99"),
    // Bones, joints, muscles.
    ("M00", "M03"), ("M05", "M14"), ("M15", "M19"), ("M20", "M25"), ("M30", "M36"), ("M40", "M43"), ("M45", "M49"),
    ("M50", "M54"), ("M60", "M63"), ("M65", "M68"), ("M70", "M79"), ("M80", "M85"), ("M86", "M90"), ("M91", "M94"),
    ("M95", "M99"),
    // Kidneys and sex organs.
    ("N00", "N08"), ("N10", "N16"), ("N17", "N19"), ("N20", "N23"), ("N25", "N29"), ("N30", "N39"), ("N40", "N53"),
    ("N60", "N65"), ("N70", "N77"), ("N80", "N98"), ("N99", "N99"),
    // Pregnancy and birth.
    ("O00", "O08"), ("O09", "O09"), ("O10", "O16"), ("O20", "O29"), ("O30", "O48"), ("O60", "O77"), ("O80", "O84"),
    ("O85", "O92"), ("O94", "O99"),
    // The first weeks of life.
    ("P00", "P04"), ("P05", "P08"), ("P10", "P15"), ("P19", "P29"), ("P35", "P39"), ("P50", "P61"), ("P70", "P74"),
    ("P75", "P78"), ("P80", "P83"), ("P90", "P96"),
    // Inborn.
    ("Q00", "Q07"), ("Q10", "Q18"), ("Q20", "Q28"), ("Q30", "Q34"), ("Q35", "Q37"), ("Q38", "Q45"), ("Q50", "Q56"),
    ("Q60", "Q64"), ("Q65", "Q79"), ("Q80", "Q89"), ("Q90", "Q99"),
    // Symptoms and findings.
    ("R00", "R09"), ("R10", "R19"), ("R20", "R23"), ("R25", "R29"), ("R30", "R39"), ("R40", "R46"), ("R47", "R49"),
    ("R50", "R69"), ("R70", "R79"), ("R80", "R82"), ("R83", "R89"), ("R90", "R94"), ("R95", "R99"),
    // Injuries and poisonings.
    ("S00", "S09"), ("S10", "S19"), ("S20", "S29"), ("S30", "S39"), ("S40", "S49"), ("S50", "S59"), ("S60", "S69"),
    ("S70", "S79"), ("S80", "S89"), ("S90", "S99"), ("T00", "T07"), ("T08", "T14"), ("T15", "T19"), ("T20", "T25"),
    ("T26", "T28"), ("T29", "T32"), ("T33", "T35"), ("T36", "T50"), ("T51", "T65"), ("T66", "T78"), ("T79", "T79"),
    ("T80", "T88"), ("T89", "T89"), ("T90", "T98"),
    // Causes from outside.
    ("V00", "V09"), ("V10", "V19"), ("V20", "V29"), ("V30", "V39"), ("V40", "V49"), ("V50", "V59"), ("V60", "V69"),
    ("V70", "V79"), ("V80", "V89"), ("V90", "V94"), ("V95", "V97"), ("V98", "V99"), ("W00", "W19"), ("W20", "W49"),
    ("W50", "W64"), ("W65", "W74"), ("W75", "W84"), ("W85", "W99"), ("X00", "X09"), ("X10", "X19"), ("X20", "X29"),
    ("X30", "X39"), ("X40", "X49"), ("X50", "X57"), ("X58", "X59"), ("X60", "X84"), ("X85", "Y09"), ("Y10", "Y34"),
    ("Y35", "Y38"), ("Y40", "Y59"), ("Y60", "Y69"), ("Y70", "Y82"), ("Y83", "Y84"), ("Y85", "Y89"), ("Y90", "Y99"),
    // Reasons for a visit.
    ("Z00", "Z13"), ("Z20", "Z29"), ("Z30", "Z39"), ("Z40", "Z54"), ("Z55", "Z65"), ("Z70", "Z76"), ("Z80", "Z99"),
    // Special purposes.
    ("U00", "U49"), ("U50", "U52"), ("U55", "U55"), ("U60", "U61"), ("U69", "U69"), ("U80", "U85"), ("U99", "U99"),
];

#[cfg(test)]
mod tests {
    use super::super::tests::{check_nested, labels};
    use super::*;

    #[test]
    fn codes_of_different_length_meet() {
        assert_eq!(labels(&LIBRARY, "I50"), ["I50", "I50", "I30-I52", "I00-I99"]);
        assert_eq!(labels(&LIBRARY, "I50.1"), ["I50.1", "I50", "I30-I52", "I00-I99"]);
        for code in ["I50.14", "I5014", "i50.14", " I50.14 ", "I50.1-", "I50.14+", "I50.14 G", "I50.14 G L", "I50.14AB"]
        {
            assert_eq!(labels(&LIBRARY, code), ["I50.1", "I50", "I30-I52", "I00-I99"], "{code}");
        }
        assert_eq!(labels(&LIBRARY, "I50.-"), labels(&LIBRARY, "I50"));
    }

    #[test]
    fn letters_in_the_third_place_have_their_block() {
        let block = |code: &str| labels(&LIBRARY, code).get(2).cloned().unwrap_or_default();
        let expected = [
            ("C7A.0", "C76-C80"),
            ("D3A", "D37-D48"),
            ("O9A", "O94-O99"),
            ("Z3A", "Z30-Z39"),
            ("M1A", "M05-M14"),
            ("I5A", "I30-I52"),
            ("C4A", "C43-C44"),
        ];
        for (code, expected) in expected {
            assert_eq!(block(code), expected, "{code}");
        }
        // In a chapter and in no block.
        assert_eq!((block("Z66"), block("B98.1")), ("Z00-Z99".into(), "B95-B98".into()));
    }

    #[test]
    fn what_is_no_code_is_refused() {
        for text in
            ["", "I5", "50.1", "I50.14567", "I50.1 or so", "I50,1", "É50", "heart", "D95", "P99", "H99", "I50.1é", "."]
        {
            assert!(labels(&LIBRARY, text).is_empty(), "{text}");
        }
    }

    #[test]
    fn blocks_and_chapters_are_in_order_and_apart() {
        let categories: Vec<String> =
            ('A'..='Z').flat_map(|letter| (0..100).map(move |number| format!("{letter}{number:02}"))).collect();
        for category in &categories {
            let holding = |ranges: &[(&str, &str)]| ranges.iter().filter(|range| holds(range, category)).count();
            assert!(holding(&CHAPTERS) <= 1 && holding(BLOCKS) <= 1, "{category}");
        }
        for (first, last) in BLOCKS {
            assert!(first <= last);
            assert_eq!(label(first, 4), label(last, 4), "{first}-{last} is in two chapters");
            assert!(label(first, 4).is_some(), "{first} is in no chapter");
        }
        let lettered = ('A'..='Z').flat_map(|letter| (0..10).map(move |digit| format!("{letter}{digit}A")));
        check_nested(&LIBRARY, &categories.iter().cloned().chain(lettered).collect::<Vec<_>>());
    }
}
