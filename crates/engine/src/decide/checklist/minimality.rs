//! What the choice of levels tells whoever knows everybody's quasi-identifiers.

use equanym_core::checklist::{Check, ChecklistLine};
use equanym_core::minimality::Minimality;
use equanym_core::search;

use super::{counted, grouped};

/// What is known of a choice of levels.
pub(crate) enum ChoiceEvidence {
    /// It follows from what is released.
    Nothing,
    /// No model looks at sensitive values.
    Unguarded,
    /// Another table decided on the levels; so many people are withheld for their sensitive values.
    Elsewhere(u64),
    /// It tells so much.
    Told(Minimality),
}

/// The line about it.
pub(crate) fn minimality(telling: &ChoiceEvidence, counts_people: bool) -> ChecklistLine {
    let ok = |message: &str| ChecklistLine::ok(Check::Minimality, message).count("people", 0);
    match *telling {
        ChoiceEvidence::Nothing => {
            ok("the choice of levels follows from quasi-identifiers and from what is released: it tells \
                                      nothing more about sensitive values")
        }
        ChoiceEvidence::Unguarded => {
            ok("no privacy model looks at sensitive values, so the choice of levels tells nothing about them")
        }
        ChoiceEvidence::Elsewhere(0) => ok("the levels were given, and nobody is withheld for sensitive values"),
        ChoiceEvidence::Told(Minimality { people: 0, .. }) => ok(
            "quasi-identifiers alone lead to the same release: that it was chosen tells nothing about sensitive values",
        ),
        ChoiceEvidence::Elsewhere(withheld) => look(
            &Minimality { people: withheld, singled_out: withheld, withheld, ..Minimality::default() },
            counts_people,
        ),
        ChoiceEvidence::Told(told) => look(&told, counts_people),
    }
}

fn look(told: &Minimality, counts_people: bool) -> ChecklistLine {
    let Minimality { nodes, is_unknown, people, singled_out, withheld } = *told;
    let of = |count: u64| {
        if counts_people { counted(count, "person", "people") } else { counted(count, "record", "records") }
    };
    let mut parts = Vec::new();
    if is_unknown {
        parts.push(format!(
            "whoever knows everybody's quasi-identifiers may conclude from the choice of levels which finer ones sensitive values \
             forbid (minimality attack); that was not looked at in full, so all {} count",
            of(people)
        ));
    } else if nodes > 0 {
        let finer = if nodes == 1 {
            "a better combination of levels keeps".to_owned()
        } else {
            format!("{} better combinations of levels or more keep", grouped(nodes))
        };
        parts.push(format!(
            "{finer} what the models ask of quasi-identifiers: whoever knows everybody's concludes that sensitive values forbid it \
             (minimality attack); that may tell of {}",
            of(people)
        ));
    }
    if withheld > 0 {
        parts.push(format!(
            "{} withheld for sensitive values alone, and that can be seen",
            is_or_are(withheld, &of(withheld))
        ));
    }
    let singled = singled_out.saturating_sub(withheld);
    if singled > 0 {
        parts.push(format!("{} in a class that must be the reason", is_or_are(singled, &of(singled))));
    }
    let discreet: Vec<&str> =
        search::ALL.iter().filter(|search| search.tells_nothing()).map(|search| search.card.name).collect();
    let message = format!("{}; `search = \"{}\"` tells nothing, at a price", parts.join("; "), discreet.join("\", \""));
    ChecklistLine::look(Check::Minimality, message)
        .count("nodes", nodes)
        .count("people", people)
        .count("singled_out", singled_out)
        .count("withheld", withheld)
}

fn is_or_are(count: u64, words: &str) -> String {
    format!("{words} {}", if count == 1 { "is" } else { "are" })
}
