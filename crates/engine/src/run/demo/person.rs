//! Who is admitted: age and sex first, then what depends on them.
//!
//! Names are put together from lists of invented first and family names; any likeness with a living person is chance.
//! Postal codes belong to a made-up region of two districts, a city and its countryside.

use super::draw::Draw;

/// Age and sex, on which the rest of a record depends.
pub(super) struct Life {
    /// Days since birth.
    pub days_old: u32,
    /// `female` or `male`.
    pub sex: &'static str,
}

impl Life {
    /// Completed years, to within a day.
    pub(super) fn years(&self) -> u32 {
        self.days_old * 4 / 1461
    }
}

/// A row of a table: up to which age it holds, and the weighted values.
type ByAge<T> = (u32, &'static [(u32, T)]);

/// How often people of an age come to hospital: the weight, and the first and last day of life.
const AGES: &[(u32, (u32, u32))] = &[
    (60, (0, 6)),
    (25, (7, 364)),
    (55, (366, years(15))),
    (70, (years(15), years(25))),
    (130, (years(25), years(40))),
    (130, (years(40), years(55))),
    (170, (years(55), years(67))),
    (230, (years(67), years(80))),
    (130, (years(80), years(95))),
];

/// Up to which age how many in a hundred are women.
const WOMEN: &[(u32, u32)] = &[(14, 48), (44, 62), (79, 49), (200, 60)];

/// Postal areas: how many live there, the first three digits, and the number of codes in use.
const AREAS: &[(u32, (u32, u32))] = &[
    (300, (694, 60)),
    (180, (695, 45)),
    (110, (696, 40)),
    (60, (697, 30)),
    (150, (866, 40)),
    (100, (867, 35)),
    (60, (868, 30)),
    (40, (869, 20)),
];

const MARITAL_STATUS: &[ByAge<&str>] = &[
    (17, &[(1, "Single")]),
    (24, &[(88, "Single"), (8, "Married"), (3, "Registered partnership"), (1, "Separated")]),
    (
        34,
        &[
            (52, "Single"),
            (36, "Married"),
            (5, "Registered partnership"),
            (3, "Separated"),
            (3, "Divorced"),
            (1, "Widowed"),
        ],
    ),
    (
        54,
        &[
            (24, "Single"),
            (52, "Married"),
            (5, "Registered partnership"),
            (4, "Separated"),
            (13, "Divorced"),
            (2, "Widowed"),
        ],
    ),
    (
        74,
        &[
            (11, "Single"),
            (57, "Married"),
            (3, "Registered partnership"),
            (2, "Separated"),
            (15, "Divorced"),
            (12, "Widowed"),
        ],
    ),
    (200, &[(7, "Single"), (40, "Married"), (1, "Registered partnership"), (8, "Divorced"), (44, "Widowed")]),
];

const EDUCATION: &[ByAge<&str>] = &[
    (11, &[(1, "No schooling")]),
    (15, &[(9, "Primary school"), (1, "No schooling")]),
    (18, &[(75, "Lower secondary"), (15, "Primary school"), (10, "Upper secondary")]),
    (
        24,
        &[
            (4, "Primary school"),
            (14, "Lower secondary"),
            (42, "Upper secondary"),
            (22, "Vocational training"),
            (6, "College diploma"),
            (12, "Bachelor"),
        ],
    ),
    (
        44,
        &[
            (1, "No schooling"),
            (4, "Primary school"),
            (10, "Lower secondary"),
            (16, "Upper secondary"),
            (28, "Vocational training"),
            (11, "College diploma"),
            (17, "Bachelor"),
            (11, "Master"),
            (2, "Doctorate"),
        ],
    ),
    (
        66,
        &[
            (1, "No schooling"),
            (7, "Primary school"),
            (15, "Lower secondary"),
            (14, "Upper secondary"),
            (37, "Vocational training"),
            (9, "College diploma"),
            (8, "Bachelor"),
            (7, "Master"),
            (2, "Doctorate"),
        ],
    ),
    (
        200,
        &[
            (3, "No schooling"),
            (21, "Primary school"),
            (24, "Lower secondary"),
            (9, "Upper secondary"),
            (31, "Vocational training"),
            (5, "College diploma"),
            (3, "Bachelor"),
            (3, "Master"),
            (1, "Doctorate"),
        ],
    ),
];

#[rustfmt::skip]
const WOMENS_NAMES: &[&str] = &[
    "Adelis", "Amarin", "Brisa", "Calenne", "Cethra", "Dorvia", "Elowa", "Esmera", "Faylin", "Galindra", "Hespa", "Ilmira",
    "Isolen", "Jorana", "Kelvia", "Liorel", "Lunette", "Marwen", "Mirelda", "Nerisa", "Odalys", "Orlena", "Perdita",
    "Quenna", "Rosamir", "Sabelle", "Selwyna", "Tamsa", "Thelia", "Ulrisa", "Valmira", "Wenna", "Xanthea", "Yselle", "Zerina",
];

#[rustfmt::skip]
const MENS_NAMES: &[&str] = &[
    "Aldren", "Ambris", "Bastin", "Brannoc", "Corvan", "Dagmir", "Edric", "Elgar", "Fendrel", "Galdo", "Harwin", "Ivarin",
    "Jarvan", "Kelmar", "Lorcas", "Luthen", "Marnic", "Merrin", "Nalder", "Norwin", "Osbren", "Perrin", "Quillan", "Radolf",
    "Roswin", "Sandor", "Severan", "Tarquin", "Torven", "Ulmar", "Valdis", "Wendel", "Wystan", "Yorick", "Zoltar",
];

#[rustfmt::skip]
const FAMILY_NAMES: &[&str] = &[
    "Alderfen", "Ambervale", "Ashmoor", "Barleyfield", "Birchlow", "Brackwater", "Brambleby", "Briarstone", "Cinderholt",
    "Clovermead", "Coldbrook", "Copperlane", "Dawnhill", "Dovewater", "Dunmarsh", "Eastmere", "Elderwick", "Emberley",
    "Fairhollow", "Fernsby", "Flintwood", "Foxcombe", "Frostholm", "Glenmarrow", "Goldwater", "Greyfell", "Harrowgate",
    "Hazelmoor", "Heatherstow", "Hollinbeck", "Ironbridge", "Ivywell", "Juniperson", "Kestrelby", "Kingsfen", "Larkmead",
    "Lindenau", "Lowmarsh", "Maplethorn", "Meadowsby", "Millrace", "Mistleigh", "Nettlefold", "Nightwell", "Oakenridge",
    "Orchardson", "Pebblewick", "Pinemoor", "Quarrington", "Quickwater", "Ravenholm", "Redfern", "Rosewall", "Rushmere",
    "Sallowby", "Silverbeck", "Starling", "Stonecroft", "Swanmere", "Tallowin", "Thistledown", "Underhay", "Violetson",
    "Wheatland", "Whitlocke", "Willowby", "Windermoor", "Wrenfield", "Yarrowdale", "Yewbank",
];

#[rustfmt::skip]
const INITIALS: &[char] = &[
    'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P', 'R', 'S', 'T', 'V', 'W', 'Z',
];

/// Draws age and sex.
pub(super) fn life(draw: &mut Draw) -> Life {
    let (youngest, oldest) = draw.weighted(AGES);
    let days_old = draw.between(youngest, oldest);
    let mut life = Life { days_old, sex: "male" };
    if draw.below(100) < up_to(WOMEN, life.years()).unwrap_or(50) {
        life.sex = "female";
    }
    life
}

/// Draws a name.
pub(super) fn name(draw: &mut Draw, sex: &str) -> String {
    let first = draw.any(if sex == "female" { WOMENS_NAMES } else { MENS_NAMES });
    let initial = draw.any(INITIALS);
    let family = draw.any(FAMILY_NAMES);
    format!("{first} {initial}. {family}")
}

/// Draws a postal code. Within an area a few codes are common and many are rare, and the common ones are not neighbours.
pub(super) fn zip(draw: &mut Draw) -> u32 {
    let (area, codes) = draw.weighted(AREAS);
    area * 100 + draw.mostly_low(codes) * 7 % 100
}

/// Draws a marital status; now and then an adult's is missing.
pub(super) fn marital_status(draw: &mut Draw, years: u32) -> &'static str {
    answer(draw, MARITAL_STATUS, years, 15)
}

/// Draws the highest completed education; now and then an adult's is missing.
pub(super) fn education(draw: &mut Draw, years: u32) -> &'static str {
    answer(draw, EDUCATION, years, 20)
}

fn answer(draw: &mut Draw, table: &[ByAge<&'static str>], years: u32, missing_per_mille: u32) -> &'static str {
    let value = draw.weighted(up_to(table, years).unwrap_or(&[]));
    let missing = draw.happens(missing_per_mille);
    if missing && years >= 18 { "" } else { value }
}

/// The first row that reaches this age.
fn up_to<T: Copy>(table: &[(u32, T)], years: u32) -> Option<T> {
    table.iter().find(|(last, _)| years <= *last).map(|(_, row)| *row)
}

const fn years(count: u32) -> u32 {
    count * 1461 / 4
}
