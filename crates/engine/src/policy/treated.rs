//! Whether the treatments of a policy go together with its variables.

use equanym_core::hierarchy::{Builder, DateFormat};
use equanym_core::treatment::{Age, AgeDay, DateShift, Treatment};

use super::place::{at_line, known, quoted};
use super::variable::VariablePolicy;
use crate::error::{Error, Result};

/// Whether the variables that treatments look at are there, and dates of one person move alike. The dates of another
/// column are read as that column says.
pub(super) fn check(variables: &mut [VariablePolicy]) -> Result<()> {
    let formats: Vec<(String, Option<DateFormat>)> =
        variables.iter().map(|variable| (variable.name.clone(), own_format(variable))).collect();
    let mut moves: Vec<(String, u32)> = Vec::new();
    for variable in variables {
        let (line, name) = (variable.line, variable.name.clone());
        for treatment in &mut variable.treatments {
            if let Some(other) = treatment.other() {
                let Some((_, format)) = formats.iter().find(|(name, _)| name == other) else {
                    return Err(stranger(line, treatment, other, formats.iter().map(|(name, _)| name.as_str())));
                };
                if other == name {
                    let key = quoted(treatment.card().name);
                    return Err(at_line(line, format!("{key} of {} looks at its own column", quoted(&name))));
                }
                if let (Treatment::Derive(Age { at: AgeDay::Column { at_format, .. }, .. }), Some(format)) =
                    (&mut *treatment, format)
                {
                    *at_format = *format;
                }
            }
            if let Treatment::Shift(DateShift { days, by, .. }) = treatment {
                if moves.iter().any(|(person, other)| person == by && other != days) {
                    let message = format!("dates that move by {} must move by the same `days`", quoted(by));
                    return Err(
                        at_line(line, message).hint("times between the dates of a person would be lost otherwise")
                    );
                }
                moves.push((by.clone(), *days));
            }
        }
    }
    Ok(())
}

fn stranger<'a>(
    line: usize,
    treatment: &Treatment,
    other: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Error {
    let message = format!("{} looks at {}, which is no variable", quoted(treatment.card().name), quoted(other));
    at_line(line, message).hint(known(other, names))
}

/// How a variable says that its dates are written.
fn own_format(variable: &VariablePolicy) -> Option<DateFormat> {
    let treated = variable.treatments.iter().find_map(|treatment| match treatment {
        Treatment::Shift(shift) => Some(shift.format),
        Treatment::Derive(age) => Some(age.format),
        _ => None,
    });
    match &variable.hierarchy {
        Builder::Date { format, .. } => Some(*format),
        _ => treated,
    }
}
