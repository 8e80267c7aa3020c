//! Texts that look like nothing: blanks of every kind, and words that commonly mean missing.

/// The words, in small letters: signs and English, then German, French, Spanish, Italian, Portuguese and Dutch.
const WORDS: &[&str] = &[
    "na",
    "n/a",
    "n.a.",
    "null",
    "none",
    "nan",
    "\\n",
    "?",
    "-",
    "--",
    ".",
    "unknown",
    "missing",
    "not available",
    "#n/a",
    "<na>",
    "leer",
    "fehlt",
    "fehlend",
    "unbekannt",
    "k.a.",
    "k. a.",
    "keine angabe",
    "inconnu",
    "inconnue",
    "manquant",
    "nd",
    "n.d.",
    "non renseigné",
    "desconocido",
    "desconocida",
    "sin dato",
    "sin datos",
    "s/d",
    "vacío",
    "sconosciuto",
    "mancante",
    "vuoto",
    "desconhecido",
    "sem dados",
    "vazio",
    "em falta",
    "onbekend",
    "ontbreekt",
    "n.v.t.",
    "nvt",
];

/// Blanks of every kind: Unicode white space, and the zero-width characters that look like nothing at all.
pub(crate) fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

/// Whether a value is a word that commonly means missing.
pub(crate) fn means_missing(value: &str) -> bool {
    WORDS.contains(&value.trim_matches(is_blank).to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_in_any_case_and_among_blanks() {
        for value in ["NA", " n/a ", "Unknown", "\u{200b}-", "\\N", "leer", "Keine Angabe"] {
            assert!(means_missing(value), "{value:?}");
        }
        for value in ["", "nan0", "known"] {
            assert!(!means_missing(value), "{value:?}");
        }
    }
}
