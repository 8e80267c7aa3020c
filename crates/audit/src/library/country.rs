//! Countries: the sub-region and the region of each, by its codes or its English name.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A line for each country: three letters, two letters, the number of its area, its names.
const COUNTRIES: &str = include_str!("countries.txt");

/// The areas of the United Nations' M49 with their numbers, and the regions that they are in.
const AREAS: [(&str, &str, &str); 23] = [
    ("005", "South America", "Americas"),
    ("010", "Antarctica", "Antarctica"),
    ("011", "Western Africa", "Africa"),
    ("013", "Central America", "Americas"),
    ("014", "Eastern Africa", "Africa"),
    ("015", "Northern Africa", "Africa"),
    ("017", "Middle Africa", "Africa"),
    ("018", "Southern Africa", "Africa"),
    ("021", "Northern America", "Americas"),
    ("029", "Caribbean", "Americas"),
    ("030", "Eastern Asia", "Asia"),
    ("034", "Southern Asia", "Asia"),
    ("035", "South-eastern Asia", "Asia"),
    ("039", "Southern Europe", "Europe"),
    ("053", "Australia and New Zealand", "Oceania"),
    ("054", "Melanesia", "Oceania"),
    ("057", "Micronesia", "Oceania"),
    ("061", "Polynesia", "Oceania"),
    ("143", "Central Asia", "Asia"),
    ("145", "Western Asia", "Asia"),
    ("151", "Eastern Europe", "Europe"),
    ("154", "Northern Europe", "Europe"),
    ("155", "Western Europe", "Europe"),
];

/// The number of the area of each spelling.
static NUMBERS: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let mut numbers = HashMap::new();
    for line in COUNTRIES.lines() {
        let mut cells = line.splitn(4, ',');
        let [Some(three), Some(two), Some(area), Some(names)] = std::array::from_fn(|_| cells.next()) else { continue };
        numbers.extend([three, two].into_iter().chain(names.split('|')).map(|name| (folded(name), area)));
    }
    numbers
});

fn folded(name: &str) -> String {
    name.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect()
}

pub(super) fn label(step: u64, value: &str) -> Option<String> {
    let number = NUMBERS.get(&folded(value))?;
    let (_, area, region) = AREAS.iter().find(|(known, ..)| known == number)?;
    Some((if step == 1 { *area } else { *region }).to_owned())
}

/// The region of an area.
pub(super) fn region(area: &str) -> Option<String> {
    AREAS.iter().find(|(_, known, _)| *known == area).map(|(.., region)| (*region).to_owned())
}

pub(super) fn is_area(step: u64, label: &str) -> bool {
    AREAS.iter().any(|(_, area, region)| label == if step == 1 { *area } else { *region })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_country_has_an_area_that_is_known() {
        assert_eq!(COUNTRIES.lines().count(), 249);
        assert!(NUMBERS.values().all(|number| AREAS.iter().any(|(known, ..)| known == number)));
    }
}
