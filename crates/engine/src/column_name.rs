//! What the name of a column suggests: to whoever drafts a policy, and to the checklist.
//!
//! A name is cut into words at anything that is no letter or digit and where a small letter meets a capital one
//! (`zipCode`); accents and case do not matter. The lists are short and only suggest: a person checks the draft.
//! English, and the words of German, French and Spanish that such columns are called by.

use unicode_normalization::UnicodeNormalization;

/// What a name suggests; several may hold at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hints {
    /// Whether it leads to a person.
    pub(crate) person: Person,
    /// Nobody may learn it about a known person.
    pub(crate) sensitive: bool,
    /// Others know it about a person.
    pub(crate) quasi: bool,
}

/// Whether a name leads to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Person {
    /// It says nothing of the kind.
    No,
    /// To a person or to a thing: `ward id` does not, `invoice id` may.
    Perhaps,
    /// It does.
    Yes,
}

/// Words that name a person or lead to one.
const IDENTIFYING: &str = "
    surname firstname lastname forename fullname nickname username login email mail phone telephone mobile fax
    ssn nin nhs passport iban mrn uuid guid url imei address street signature photo vorname nachname
    familienname telefon telefonnummer handy strasse adresse anschrift versichertennummer versicherungsnummer
    patientennummer kundennummer personalnummer kontonummer ausweisnummer prenom courriel rue nir apellido
    apellidos correo telefono dni nie calle direccion patientid userid customerid personid recordid
";

/// Words that name a person when they stand alone or beside a word of [`PERSONS`].
const NAMES: &str = "
    name id identifier key nom nombre kennung
";

/// Words that do so only beside a word of [`PERSONS`].
const NUMBERS: &str = "
    number no nr num nummer numero code
";

/// Words for people, and for what people have a number of.
const PERSONS: &str = "
    person people patient customer client user member employee staff student pupil respondent participant
    subject contact first last full given family middle maiden insurance social security medical record account
    card licence license tax national kunde mitarbeiter versicherung assure cliente paciente
";

/// Words for the number of a person, which is that of nobody else.
const PERSON_NUMBERS: &str = "
    ssn nin nhs passport mrn nir dni nie versichertennummer versicherungsnummer patientennummer kundennummer
    personalnummer ausweisnummer patientid userid customerid personid
";

/// Words that make such a number beside a word of [`PEOPLE`].
const IDS: &str = "
    id identifier key kennung number no nr num nummer numero code
";

/// Words for people, without what people have a number of.
const PEOPLE: &str = "
    person patient customer client user member employee student pupil respondent participant subject insurance
    social security national kunde mitarbeiter versicherung assure cliente paciente
";

/// Words for what nobody may learn.
const SENSITIVE: &str = "
    diagnosis diagnoses diagnose disease illness condition symptom symptoms icd icd9 icd10 treatment therapy
    medication drug prescription hiv aids cancer disability handicap income salary wage wages earnings debt
    credit religion faith belief politics party vote orientation sexuality conviction crime offence offense
    krankheit erkrankung gehalt lohn einkommen konfession therapie behandlung medikament maladie salaire revenu
    traitement diagnostic diagnostico enfermedad salario sueldo ingresos tratamiento
";

/// Words for what others know about a person.
const QUASI: &str = "
    age birth birthday birthdate dob yob born sex gender zip zipcode postcode postal plz city town village
    county state region province district municipality country nationality citizenship native race ethnicity
    ethnic marital education degree school occupation job profession employer workclass date day month year
    admitted admission discharge discharged language height weight household children alter geburt geburtstag
    geburtsdatum geburtsjahr geschlecht ort wohnort stadt land bundesland postleitzahl staatsangehorigkeit
    familienstand beruf bildung bildungsabschluss datum naissance sexe ville pays nationalite edad nacimiento
    sexo genero ciudad pais profesion ocupacion nacionalidad fecha
";

/// What a name suggests.
pub(crate) fn hints(name: &str) -> Hints {
    let words = words(name);
    let has = |list: &str| list.split_whitespace().any(|known| words.iter().any(|word| word == known));
    let stands_alone = words.len() == 1 && has(NAMES);
    let is_of_person = has(PERSONS) && (has(NAMES) || has(NUMBERS));
    let person = match has(IDENTIFYING) || stands_alone || is_of_person {
        true => Person::Yes,
        false if has(NAMES) => Person::Perhaps,
        false => Person::No,
    };
    Hints { person, sensitive: has(SENSITIVE), quasi: has(QUASI) }
}

/// Whether it is called like the number of a person.
pub(crate) fn is_number_of_person(name: &str) -> bool {
    let words = words(name);
    let has = |list: &str| list.split_whitespace().any(|known| words.iter().any(|word| word == known));
    let stands_alone = words.len() == 1 && has("id identifier");
    has(PERSON_NUMBERS) || stands_alone || (has(PEOPLE) && has(IDS))
}

/// The words of a name, in small letters without accents.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for letter in name.nfd().filter(|letter| !is_accent(*letter)) {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && after_small) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            match letter {
                'ß' => word.push_str("ss"),
                _ => word.extend(letter.to_lowercase()),
            }
        }
        after_small = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

fn is_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_words() {
        let check = |name: &str, expected: &[&str]| assert_eq!(words(name), expected, "{name}");
        check("marital-status", &["marital", "status"]);
        check("zipCode", &["zip", "code"]);
        check("SSN", &["ssn"]);
        check("Prénom", &["prenom"]);
        check("Straße", &["strasse"]);
        check("  date_of__birth ", &["date", "of", "birth"]);
        check("…", &[]);
    }

    #[test]
    fn names_of_people_are_identifying() {
        for name in ["name", "Last Name", "patientId", "patient_id", "e-mail", "SSN", "Nachname", "Apellidos", "id"] {
            assert_eq!(hints(name).person, Person::Yes, "{name}");
        }
        for name in ["ward_name", "department id", "age", "number of children", "zip code", "valid"] {
            assert_ne!(hints(name).person, Person::Yes, "{name}");
        }
        assert_eq!(hints("ward_name").person, Person::Perhaps);
    }

    #[test]
    fn people_have_numbers_of_their_own() {
        for name in ["patient_id", "patientId", "Patient No.", "SSN", "id", "customer key", "Versichertennummer"] {
            assert!(is_number_of_person(name), "{name}");
        }
        for name in ["name", "first name", "phone number", "account id", "record id", "e-mail", "patient", "ward id"] {
            assert!(!is_number_of_person(name), "{name}");
        }
    }

    #[test]
    fn common_columns_are_known() {
        for name in ["age", "Date of birth", "zip", "sexe", "Geschlecht", "native-country", "año de nacimiento"] {
            assert!(hints(name).quasi, "{name}");
        }
        for name in ["diagnosis", "ICD-10", "annual income", "Gehalt", "diagnóstico"] {
            assert_eq!((hints(name).sensitive, hints(name).person), (true, Person::No), "{name}");
        }
    }
}
