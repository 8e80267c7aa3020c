//! What the name of a column suggests: to whoever drafts a policy, and to the checklist.
//!
//! A name is cut into words at anything that is no letter or digit and where a small letter meets a capital one
//! (`zipCode`); accents and case do not matter. Words are compared with stems, because German and Dutch write several in
//! one: `*diagnos*` is any word with that in it (`Hauptdiagnose`), `icd*` one that begins so, `*datum` one that ends so; a
//! stem without a star is the whole word. English, German, French, Spanish, Italian, Portuguese and Dutch.
//!
//! The lists only suggest: a person checks the draft.

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
    /// People write sentences there.
    pub(crate) remark: bool,
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
    surname firstname lastname forename fullname nickname username login email mail phone* telephone* mobile fax
    ssn nin nhs passport* iban mrn uuid guid url imei address* street* signature* photo*
    *vorname *nachname *familienname *geburtsname *rufname *zuname *telefon* handy* *strasse *adresse* anschrift* unterschrift*
    *versicherten* versicherungsnr versicherungsnummer *patientennr *patientennummer *patientenid patientid userid customerid
    personid recordid caseid *fallnr *fallnummer *fallid kundennr kundennummer personalnr personalnummer kontonr kontonummer
    ausweisnr ausweisnummer aktenzeichen aufnahmenr aufnahmenummer
    prenom* courriel* rue nir apellido* correo* telefono* dni nie nif calle direccion* domicilio cognome* indirizzo* cellulare
    sobrenome* apelido* endereco* morada telefone* celular rua cpf voornaam* achternaam* *adres straat* telefoon* bsn
    burgerservicenummer patientnummer patientnr dossiernummer verzekerdennummer klantnummer handtekening* cellulaire
";

/// Words that name a person when they stand alone or beside a word of [`PERSONS`].
const NAMES: &str = "
    name id identifier key nom nombre nome naam kennung kennzeichen identifiant identificador identificativo
";

/// Words that do so only beside a word of [`PERSONS`].
const NUMBERS: &str = "
    number no nr num nummer numero code codigo codice nummern
";

/// Words that may lead to a person where a column has many values.
const PERHAPS: &str = "
    *nummer *name *naam *kennung patient* pacient* pazient*
";

/// Words for people, and for what people have a number of.
const PERSONS: &str = "
    person* people patient* pacient* pazient* customer* client* kunde* klant* user* member* employee* staff student* pupil*
    respondent* participant* subject* contact first last full given family middle maiden insur* social* security medical record
    account card licence license tax national mitarbeiter* versicher* assure* asegurad* segurad* utente* assicurat* sanitari*
    fiscal* dossier* verzeker* medewerker* fall case caso cas episode* histor* expedient* cartella prontuario processo
";

/// Words for the number of a person, which is that of nobody else.
const PERSON_NUMBERS: &str = "
    ssn nin nhs passport* mrn nir dni nie nif cpf bsn burgerservicenummer *versichertennr *versichertennummer *versichertenid
    versicherungsnr versicherungsnummer *patientennr *patientennummer *patientenid patientnr patientnummer kundennr kundennummer
    personalnr personalnummer ausweisnr ausweisnummer patientid userid customerid personid klantnummer verzekerdennummer
";

/// Words that make such a number beside a word of [`PEOPLE`].
const IDS: &str = "
    id identifier key kennung number no nr num nummer numero code codigo codice identifiant identificador identificativo
";

/// Words for people, without what people have a number of.
const PEOPLE: &str = "
    person persona pessoa persoon patient* pacient* pazient* customer* client* kunde* klant* user* member* employee* student*
    pupil* respondent* participant* subject* insur* social* security national mitarbeiter* versicher* assure* asegurad*
    segurad* utente assicurat* verzeker* medewerker*
";

/// Words for what nobody may learn.
const SENSITIVE: &str = "
    *diagnos* *diagnost* icd* disease* illness* condition symptom* treatment* therap* medication* drug* prescription* hiv aids
    cancer* disab* handicap* income* salar* wage* earning* debt* credit* religi* faith belief* politic* party vote* orientation
    sexualit* conviction crime* offence* offense* allerg* procedure*
    *krankheit* *erkrankung* *gehalt *lohn *einkommen* *konfession* *therapie* *behandlung* *medikament* *befund* prozedur* schulden
    behinderung* straftat* partei *symptom* maladie* pathologie* salaire* revenu* traitement* medicament* ordonnance* parti dette*
    enfermedad* sueldo* ingresos renta tratamiento* medicacion partido deuda* patologia* malatti* reddito* stipendio* cura terapia*
    farmac* partito doenca* rendimento* renda salario* tratamento* partido divida* ziekte* aandoening* behandeling* inkomen*
    salaris loon medicatie* godsdienst* partij schuld*
";

/// Words for what others know about a person.
const QUASI: &str = "
    age birth* dob yob born sex gender zip zipcode postcode* postal* city town village county state region* provin* district*
    municip* country nationalit* citizen* native race ethnic* marital education* degree school* occupation* job profession*
    employer* workclass date day month year admitted admission* discharge* language height weight household* children
    alter *alter *geburt* *geschlecht* plz *postleitzahl* ort *wohnort* geburtsort stadt gemeinde* *land kreis landkreis
    staatsang* *familienstand* zivilstand beruf* *bildung* *abschluss* arbeitgeber* *datum* *tag *monat* *jahr* *aufnahme* *entlass*
    *sprache* *grosse *groesse *gewicht* haushalt* kinder* anrede *kasse *abteilung*
    *naissance* sexe genre ville commune* departement* pays etat profession* metier* *date jour mois annee entree* sortie* langue*
    taille poids enfants lieu age
    edad *nacimiento* nacid* sexo genero ciudad pais estado profes* ocupac* nacional* fecha* dia mes ano ingreso alta egreso idioma
    altura peso hijos escolar* estudios
    eta nascita* *nascita* sesso genere citta comune cap nazion* stato titolo studio data giorno mese anno ricovero* dimission*
    lingua altezza figli residenza
    idade *nascimento* cidade concelho distrito freguesia bairro internamento* internacao admissao* filhos lingua escolaridade
    leeftijd* *geboorte* geboren geslacht* woonplaats* gemeente* plaats land beroep* opleiding* *jaar *maand dag opname* ontslag* taal
    lengte kinderen burgerlijke
";

/// Words for columns in which people write sentences.
const REMARKS: &str = "
    remark* comment* note notes freetext text memo description* report*
    *bemerk* *anmerk* kommentar* *notiz* *freitext* beschreib* *befund* *anamnes* *epikris* *bericht hinweis* verlauf*
    remarque* observation* texte compte rapport* observac* comentario* descripcion* informe nota notas texto anotac*
    osservazion* commento* annotazion* descrizione* referto* testo observacao* observacoes descricao* relatorio*
    opmerking* toelichting* beschrijving* omschrijving* verslag* tekst notitie*
";

/// What tells groups of people apart that a release may treat unlike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    /// Women and men.
    Sex,
    /// The age in years.
    Age,
    /// The day or year of birth.
    Birth,
}

/// Words for sex, birth and age.
const GROUPS: [(Group, &str); 3] = [
    (Group::Sex, "sex sexe sexo sesso gender genero genre genere geschlecht geslacht"),
    (
        Group::Birth,
        "birth birthday birthdate dob yob born geburt geburtstag geburtsdatum geburtsjahr naissance nacimiento nascita nascimento geboorte geboortedatum geboortejaar",
    ),
    (Group::Age, "age alter edad eta idade leeftijd"),
];

/// The groups that a column of this name tells apart.
pub(crate) fn group(name: &str) -> Option<Group> {
    let words = words(name);
    let has = |list: &str| list.split_whitespace().any(|known| words.iter().any(|word| word == known));
    GROUPS.iter().find(|(_, list)| has(list)).map(|(group, _)| *group)
}

/// What a name suggests.
pub(crate) fn hints(name: &str) -> Hints {
    let words = words(name);
    let has = |list: &str| has(&words, list);
    let stands_alone = words.len() == 1 && has(NAMES);
    let is_of_person = has(PERSONS) && (has(NAMES) || has(NUMBERS));
    let person = match has(IDENTIFYING) || stands_alone || is_of_person {
        true => Person::Yes,
        false if has(NAMES) || has(PERHAPS) => Person::Perhaps,
        false => Person::No,
    };
    Hints { person, sensitive: has(SENSITIVE), quasi: has(QUASI), remark: has(REMARKS) }
}

/// Whether it is called like the number of a person.
pub(crate) fn is_number_of_person(name: &str) -> bool {
    let words = words(name);
    let has = |list: &str| has(&words, list);
    let stands_alone = words.len() == 1 && has("id identifier");
    has(PERSON_NUMBERS) || stands_alone || (has(PEOPLE) && has(IDS))
}

/// Words for postal codes.
const POSTAL: &str = "zip zipcode postcode* postal* plz *postleitzahl* cap cp";

/// Whether it is called like a postal code.
pub(crate) fn is_postal(name: &str) -> bool {
    has(&words(name), POSTAL)
}

/// Words for places smaller than a state, or a land.
const PLACES: &str = "
    city town village county district* municip* borough parish neighbourhood neighborhood precinct suburb census tract block
    ort *wohnort* geburtsort stadt gemeinde* kreis landkreis ville commune* ciudad municipio citta comune cidade concelho freguesia
    bairro woonplaats* gemeente* plaats latitude longitude lat lon geo* gps coordinate*
";

/// Whether it is called like a place smaller than a state.
pub(crate) fn is_place(name: &str) -> bool {
    has(&words(name), PLACES)
}

/// Words for dates.
const DATES: &str = "date dates *date admitted discharged *datum* *aufnahmetag* *entlassungstag* fecha fechas";

/// Whether it is called like a date of an event.
pub(crate) fn is_date(name: &str) -> bool {
    has(&words(name), DATES)
}

/// Whether one of the words fits a stem of the list.
fn has(words: &[String], list: &str) -> bool {
    list.split_whitespace().any(|stem| words.iter().any(|word| fits(word, stem)))
}

/// Whether a word fits a stem, in which a star at an end stands for any letters.
fn fits(word: &str, stem: &str) -> bool {
    match (stem.strip_prefix('*'), stem.strip_suffix('*')) {
        (None, None) => word == stem,
        (None, Some(start)) => word.starts_with(start),
        (Some(end), None) => word.ends_with(end),
        (Some(rest), Some(_)) => word.contains(rest.trim_end_matches('*')),
    }
}

/// The words of a name, in small letters without accents.
pub(crate) fn words(name: &str) -> Vec<String> {
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
    fn sex_and_age_are_known() {
        for (name, expected) in [
            ("Geschlecht", Some(Group::Sex)),
            ("patient_sex", Some(Group::Sex)),
            ("ageAtAdmission", Some(Group::Age)),
            ("année de naissance", Some(Group::Birth)),
            ("age at birth of child", Some(Group::Birth)),
            ("village", None),
        ] {
            assert_eq!(group(name), expected, "{name}");
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

    /// For each language: what leads to a person, what others know, what nobody may learn, and free text.
    const LANGUAGES: [(&str, [&[&str]; 4]); 7] = [
        (
            "English",
            [
                &["surname", "patient number", "insurance no", "case id", "streetAddress"],
                &["date of birth", "postcode", "sex", "marital status", "admission date", "weight"],
                &["principal diagnosis", "medications", "religion", "salary"],
                &["remarks", "free text", "comment"],
            ],
        ),
        (
            "German",
            [
                &["Versichertennr", "Fallnummer", "Nachname", "Geburtsname", "PatientenNr", "Wohnadresse", "Straße"],
                &[
                    "Geburtsdatum",
                    "PLZ",
                    "Postleitzahl",
                    "Geschlecht",
                    "Aufnahmedatum",
                    "Entlassungsdatum",
                    "Körpergewicht",
                    "Größe",
                ],
                &[
                    "Hauptdiagnose",
                    "Nebendiagnosen",
                    "ICD10",
                    "Einkommen",
                    "Dauermedikation_Medikament",
                    "Vorerkrankungen",
                ],
                &["Bemerkung", "Befund", "Freitext", "Anmerkungen", "Arztbericht"],
            ],
        ),
        (
            "French",
            [
                &["Prénom", "numéro d'assuré", "identifiant patient", "Adresse", "Téléphone"],
                &["date de naissance", "code postal", "sexe", "ville", "date d'entrée", "poids"],
                &["diagnostic principal", "traitement", "revenus", "maladie chronique"],
                &["remarques", "commentaire", "observations"],
            ],
        ),
        (
            "Spanish",
            [
                &["Apellidos", "número de paciente", "DNI", "Dirección", "correo"],
                &["fecha de nacimiento", "código postal", "sexo", "ciudad", "fecha de ingreso", "peso"],
                &["diagnóstico principal", "enfermedades", "sueldo", "tratamiento"],
                &["observaciones", "comentarios", "descripción"],
            ],
        ),
        (
            "Italian",
            [
                &["Cognome", "codice fiscale", "numero paziente", "Indirizzo", "codice assicurato"],
                &["data di nascita", "CAP", "sesso", "comune di residenza", "data ricovero", "età"],
                &["diagnosi principale", "malattia", "reddito", "terapia"],
                &["osservazioni", "referto", "annotazioni"],
            ],
        ),
        (
            "Portuguese",
            [
                &["Sobrenome", "número do utente", "CPF", "Endereço", "código do paciente"],
                &["data de nascimento", "código postal", "sexo", "cidade", "data de internamento", "idade"],
                &["diagnóstico principal", "doença", "rendimento", "tratamento"],
                &["observações", "descrição", "relatório"],
            ],
        ),
        (
            "Dutch",
            [
                &["Achternaam", "Patiëntnummer", "BSN", "Adres", "verzekerdennummer"],
                &["Geboortedatum", "postcode", "geslacht", "woonplaats", "opnamedatum", "leeftijd"],
                &["hoofddiagnose", "ziekte", "inkomen", "behandeling"],
                &["opmerkingen", "toelichting", "beschrijving"],
            ],
        ),
    ];

    #[test]
    fn seven_languages_are_known() {
        for (language, [identifying, quasi, sensitive, remarks]) in LANGUAGES {
            for name in identifying {
                assert_eq!(hints(name).person, Person::Yes, "{language}: {name}");
            }
            for name in quasi {
                let found = hints(name);
                assert!(found.quasi && !found.sensitive && found.person != Person::Yes, "{language}: {name} {found:?}");
            }
            for name in sensitive {
                let found = hints(name);
                assert!(found.sensitive && found.person != Person::Yes, "{language}: {name} {found:?}");
            }
            for name in remarks {
                assert!(hints(name).remark, "{language}: {name}");
            }
        }
    }

    #[test]
    fn people_have_numbers_in_seven_languages() {
        for name in [
            "patient number",
            "Versichertennr",
            "Patientennummer",
            "numéro d'assuré",
            "número de paciente",
            "codice paziente",
            "número do utente",
            "Patiëntnummer",
        ] {
            assert!(is_number_of_person(name), "{name}");
        }
        for name in ["Fallnummer", "Zimmernummer", "numéro de chambre", "número de cama", "kamernummer"] {
            assert!(!is_number_of_person(name), "{name}");
        }
    }

    #[test]
    fn a_stem_is_no_piece_of_another_word() {
        for name in ["Verlauf_km", "landing", "Halterung", "valid", "capacity", "description_of_goods"] {
            let found = hints(name);
            assert!(!found.quasi && !found.sensitive && found.person == Person::No, "{name} {found:?}");
        }
        assert!(fits("hauptdiagnose", "*diagnos*") && fits("icd10", "icd*") && fits("opnamedatum", "*datum"));
        assert!(!fits("datumsangabe", "*datum") && !fits("lucid", "icd*") && !fits("ages", "age"));
    }
}
