//! What the clinic's table is drawn from. Names and remarks are made up; codes are those of the ICD-10.

/// Family names.
pub const LAST_NAMES: &[&str] = &[
    "Ahrenföhr",
    "Birkmoos",
    "Brückentaler",
    "Distelkamp",
    "Eschgrün",
    "Feldhügel",
    "Goßlinger",
    "Hainbüchen",
    "Immenhof",
    "Jägerlein",
    "Kieselöhr",
    "Lärchenau",
    "Moorländer",
    "Nebelthau",
    "Öhrenstein",
    "Pfädler",
    "Quellmann",
    "Rübsaat",
    "Söllertal",
    "Tannhübel",
    "Überschär",
    "Vogtweide",
    "Weißquell",
    "Ziegenrück",
];

/// First names.
pub const FIRST_NAMES: &[&str] = &[
    "Alwine", "Bärbel", "Cosima", "Detlef", "Edda", "Falko", "Gösta", "Heidrun", "Ilja", "Jörn", "Käthe", "Lüder",
    "Mälina", "Norwin", "Oda", "Philo", "Rüdiger", "Sölve", "Till", "Ünal", "Veit", "Wibke", "Xenia", "Yorick",
];

/// Health insurances, by weight.
pub const INSURANCES: &[(usize, &str)] = &[
    (340, "Allgemeine"),
    (260, "Bürgerkasse"),
    (150, "Technische"),
    (110, "Privat"),
    (70, "Bergbaukasse"),
    (40, "Landwirte"),
    (20, "Seekasse"),
    (6, "Selbstzahler"),
    (4, "Sozialamt"),
];

/// First and last postal code of the regions that patients come from, by weight.
pub const PLACES: &[(usize, (u32, u32))] = &[
    (420, (1067, 1328)),
    (170, (1445, 1829)),
    (120, (2625, 2763)),
    (90, (4103, 4357)),
    (80, (9111, 9131)),
    (50, (10_115, 10_249)),
    (25, (20_095, 20_259)),
    (25, (50_667, 50_739)),
    (20, (80_331, 80_469)),
];

/// A department, its diagnoses, the frequent ones first, and how many days a stay takes.
pub type Department = (&'static str, &'static [&'static str], u32);

/// Departments, by weight.
pub const CASES: &[(usize, Department)] = &[
    (
        220,
        ("Innere Medizin", &["I50.14", "J18.9", "E11.9", "I10", "I50.1", "K29.7", "E86", "I50", "J44.1", "N39.0"], 12),
    ),
    (170, ("Chirurgie", &["K80.2", "K35.8", "K40.90", "S72.0", "K56.7", "L02.4", "K57.3", "I70.25"], 9)),
    (140, ("Kardiologie", &["I48.9", "I21.4", "I20.0", "I25.13", "I50.13", "I47.1", "I35.0"], 7)),
    (110, ("Unfallchirurgie", &["S06.0", "S52.5", "S82.6", "M17.1", "S72.1", "S42.2", "M54.5"], 10)),
    (90, ("Neurologie", &["G40.9", "I63.9", "G45.9", "H81.1", "G20", "I63.5", "G35.1"], 11)),
    (80, ("Frauenheilkunde", &["D25.9", "N83.2", "C50.9", "O80", "N81.1", "O34.2"], 5)),
    (70, ("Urologie", &["N20.1", "N40", "C67.9", "N13.3", "C61"], 5)),
    (50, ("Psychiatrie", &["F32.2", "F10.3", "F20.0", "F33.1", "F43.2", "F10"], 30)),
    (40, ("Onkologie", &["C34.1", "C18.7", "C83.3", "C90.00", "C25.0"], 14)),
    (25, ("Augenheilkunde", &["H25.1", "H40.1", "H33.0"], 2)),
    (5, ("Palliativstation", &["C79.3", "C80.9", "G12.2"], 16)),
];

/// Remarks; `#` becomes a family name.
pub const REMARKS: &[&str] = &[
    "Pat. kommt in Begleitung der Tochter, Frau # wohnt im selben Haus.",
    "Herr Nachbar # hat den Notruf gewählt.",
    "Verträgt kein Penicillin, früher Ausschlag am ganzen Körper.",
    "Lebt allein, Pflegedienst kommt zweimal täglich.",
    "Arbeitet als Fährmann, möchte bald zurück an Bord.",
    "Bittet um Anruf beim Hausarzt Dr. #.",
    "Nach dem Eingriff unauffällig, Wunde reizlos.",
    "Schläft schlecht, isst wenig, trinkt ausreichend.",
    "Sturz auf der Kellertreppe, keine Bewusstlosigkeit.",
    "Übernimmt die Kosten für das Einzelzimmer selbst.",
];
