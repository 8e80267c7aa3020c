//! Applies a stored mask to other data, and proves the guarantees again or refuses.
//!
//! The recoding is taken as it is; which keys are withheld is found anew, because other data have other small classes.
//! If the stored levels no longer satisfy the models within the suppression limit, there is no release: the refusal says which
//! model fails by how much (`refusal`), and a search with the mask's own ladders which levels would be safe (`levels`). Whoever
//! wants those asks for them. A value that the mask has no label for is an error, goes to the top, or takes its records out, as the policy
//! said (`new_values`); whichever it is, the guarantees are proved on the result.
//!
//! Models that compare a class with the whole table compare it with this table, withheld records included: what somebody
//! learns of a person here is judged against what these data tell of everybody. Orders and ladders of sensitive
//! variables come with the mask; a value that they lack is an error.

mod columns;
mod levels;
mod population;
mod preset;
mod refusal;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use equanym_core::checklist::{Check, ChecklistLine};
use equanym_core::frequency::Table;
use equanym_core::hierarchy::{Builder, TOP};
use equanym_core::mask::{ColumnMask, Recoding, WITHHELD};
use equanym_core::method::global_recoding;
use equanym_core::privacy::{self, Guard, Verdict};
use equanym_core::report::NamedLevels;
use equanym_core::utility::bars::ColumnFrequencies;
use equanym_core::variable::{Role, Variable};

use self::columns::{check_columns, check_values};
use self::levels::Counts;
use self::refusal::Judged;
use super::publish::{Made, Publication, Released, publish};
use crate::count::tabulate::{self, Spread};
use crate::count::{Keys, Places, canonical, people};
use crate::decide::checklist::{StoredColumns, alone, linked_records, of_recoded};
use crate::decide::columns::{guard, guarded_variables};
use crate::decide::fit::{describe, held, occurring};
use crate::decide::frequencies::{kept_labels, of_mask, of_sensitive};
use crate::decide::search::limited;
use crate::decide::sensitive::{Meaning, known};
use crate::decide::{Fitted, Looked};
use crate::error::{Error, Result};
use crate::machine::Resources;
use crate::machine::stopwatch::Stopwatch;
use crate::mask::StoredMask;
use crate::mask::rewrite::ByRecord;
use crate::policy::{UnknownValues, day_of, share_of};
use crate::progress::Progress;
use crate::read::Data;
use crate::treat;
use crate::treat::key::Key;
use crate::workers::{Cluster, hire, refuse_treated};
use crate::write::reports::{few, forms};
use crate::write::sink::destination::Destination;

/// What is asked.
pub struct ApplyRequest<'a> {
    /// The table: a file or a folder.
    pub data: &'a Path,
    /// The stored mask.
    pub stored: StoredMask,
    /// What is to be otherwise than the mask says.
    pub adjustment: Adjustment,
    /// The folder to make, or the address of a table to make in a database.
    pub out: &'a Path,
    /// With a database: the folder for everything but the table, if it shall be kept.
    pub folder: Option<&'a Path>,
    /// The `public` folders of earlier releases that the new one must not add up with.
    pub against: &'a [PathBuf],
    /// A cluster that works on the records; otherwise this machine does.
    pub cluster: Option<&'a dyn Cluster>,
    /// Threads and memory.
    pub resources: Resources,
    /// Hears how far it has come.
    pub progress: Arc<dyn Progress>,
}

/// What is to be otherwise than a mask says.
#[derive(Debug, Clone, Default)]
pub struct Adjustment {
    /// Another share of records, or of people, that may be withheld.
    pub suppression_limit: Option<f64>,
    /// Other levels of columns.
    pub levels: Vec<(String, u8)>,
    /// Whether a refusal may show labels of the classes that are singled out.
    pub show_values: bool,
    /// Where the population lies, which a mask does not say; for models that look at one.
    pub population: Option<PathBuf>,
    /// The day of the release; that of the mask is another.
    pub date: Option<String>,
    /// Forms to fill in besides those of the mask.
    pub forms: Vec<String>,
}

impl Adjustment {
    fn make(&self, stored: &mut StoredMask) -> Result<()> {
        if let Some(limit) = self.suppression_limit {
            if !(0.0..=1.0).contains(&limit) {
                return Err(Error::input("the suppression limit is not a share between 0 and 1"));
            }
            stored.suppression_limit = limit;
        }
        // The day of a mask is that of the release which it comes from.
        stored.notes.about.date = self.date.as_deref().map(day_of).transpose()?;
        stored.notes.forms.extend(self.forms.iter().cloned());
        levels::set(stored, &self.levels)
    }
}

/// Applies a stored mask.
pub fn apply(request: ApplyRequest<'_>) -> Result<Released> {
    let ApplyRequest { data, stored, adjustment, out, folder, against, cluster, resources, progress } = request;
    let (resources, progress) = (&resources, progress.as_ref());
    let asked = Asked { data: data.into(), stored, adjustment, against, cluster, resources, progress };
    make(asked, || Destination::open(out, folder, data)).map(|made| made.released)
}

/// What is asked, wherever the release goes.
pub(super) struct Asked<'a> {
    pub data: Data<'a>,
    pub stored: StoredMask,
    pub adjustment: Adjustment,
    pub against: &'a [PathBuf],
    pub cluster: Option<&'a dyn Cluster>,
    pub resources: &'a Resources,
    pub progress: &'a dyn Progress,
}

/// Applies a mask for a destination, which is opened once the table and the mask fit each other.
pub(super) fn make(mut asked: Asked<'_>, open: impl FnOnce() -> Result<Destination>) -> Result<Made> {
    refuse_bound(&asked.stored)?;
    asked.adjustment.make(&mut asked.stored)?;
    forms::chosen(&asked.stored.notes.forms)?;
    let mut watch = Stopwatch::start();
    let key = Key::for_release(treat::are_keyed(asked.stored.treatments()), asked.stored.key.as_deref())?;
    let other_key = of_other_key(&asked.stored, &key);
    let source = asked.data.open(&asked.stored.data)?;
    check_columns(&asked.stored, &source)?;
    let (source, treatments) = treat::treated(source, asked.stored.treatments(), key)?;
    refuse_treated(asked.cluster, asked.stored.treatments())?;
    let mut destination = open()?;
    destination.against = asked.against.to_vec();
    let (spill, reading) = (destination.files.spill(), &asked.stored.data);
    let workers = hire(asked.resources, &spill, asked.cluster, asked.data, reading)?;
    watch.lap(|seconds| &mut seconds.read);

    let guarded = guarded_variables(asked.stored.privacy.iter().map(|one| (one.model.as_str(), &one.parameters)));
    let sensitive = asked.stored.mask.columns.iter().filter(|column| guarded.contains(column.name.as_str()));
    let sensitive: Vec<Spread> =
        sensitive.map(|column| Spread { name: column.name.clone(), number: column.number }).collect();
    let place = |name: &str| source.columns().iter().position(|column| column == name);
    let quasi_places = quasi(&asked.stored).filter_map(|column| place(&column.name));
    let sensitive_places = sensitive.iter().filter_map(|variable| place(&variable.name));
    let person = asked.stored.person.clone();
    let places: Vec<usize> = quasi_places.chain(sensitive_places).chain(person.as_deref().and_then(place)).collect();
    let columns = StoredColumns::of(&asked.stored, sensitive.iter().map(|variable| variable.name.as_str()));
    let few = few(asked.stored.privacy.iter().map(|promise| &promise.parameters));
    let looks = workers.sees_cells() || preset::look_at_cells(&asked.stored);
    let mut looked = Looked::where_told(looks, &source, &columns.identifying_places, few, person.is_some());
    let to_read = if looks { columns.to_read(&places, &looked) } else { Places::from(&places) };
    let keys = workers.count(&source, to_read, asked.progress)?;
    if keys.counts.is_empty() {
        return Err(Error::unsafe_release("0 records: nothing to release"));
    }
    let people = person.as_deref().map(|name| people::of(name, places.len() - 1, &keys)).transpose()?;
    let population = population::counted(&asked, workers.as_ref())?;
    watch.lap(|seconds| &mut seconds.count);

    label_unknown_values(&mut asked.stored, &keys);
    let recoded = recoded(&asked.stored);
    check_values(&recoded, &keys)?;
    let population = population.map(|one| population::Labelled::of(one, &asked.stored, &recoded)).transpose()?;
    let labelled = population.as_ref();
    let table = workers.runtime().side_by_side(|| recoded_table(&recoded, &sensitive, &keys, people, labelled))?;
    let values = keys.values[..recoded.len()].to_vec();
    let meanings = sensitive.iter().map(|variable| Meaning::stored(&asked.stored, &variable.name));
    let seen = known(&table, &meanings.collect::<Result<Vec<_>>>()?, &keys.values[recoded.len()..])?;
    let counts = Counts { keys: &keys, people, sensitive: &sensitive, seen: &seen };
    let verdict = workers.runtime().side_by_side(|| judge(&asked.stored, &table, &counts))?;
    let frequencies = frequencies(&recoded, &table, &verdict, &counts);
    looked.look_at_guarded(&keys, recoded.len(), sensitive.len());
    preset::check(&asked.stored, &columns, &keys, &looked)?;
    let lines = columns.lines(&asked.stored, &source, &keys, &looked);
    let other_population = labelled.and_then(|labelled| labelled.keep(&mut asked.stored));
    let mut fitted = refit(asked.stored, &table, &verdict, values)?;
    fitted.report.population.clone_from(&fitted.stored.population);
    fitted.report.checklist.extend(other_population);
    fitted.report.frequencies = frequencies;
    fitted.report.checklist.extend(lines);
    fitted.report.checklist.extend(other_key);
    watch.lap(|seconds| &mut seconds.fit);
    let (treatments, progress) = (treatments.as_ref(), asked.progress);
    let show_values = asked.adjustment.show_values;
    let population = labelled.map(population::Labelled::source);
    publish(Publication {
        source: &source,
        population,
        treatments,
        fitted,
        destination,
        workers,
        progress,
        watch,
        show_values,
    })
}

/// What the owner must know where tokens and dates are not those of the mask's release.
fn of_other_key(stored: &StoredMask, key: &Key) -> Option<ChecklistLine> {
    let fingerprint = key.fingerprint()?;
    let why = match &stored.key_fingerprint {
        Some(earlier) if *earlier == fingerprint => return None,
        _ if key.is_fresh() => "no --key was given, and a fresh key was made",
        _ => "the key of --key is another one",
    };
    let message = format!(
        "tokens and moved dates do not match those of the release that the mask comes from: {why}; to link both, give --key the \
         `private/key` of that release"
    );
    Some(ChecklistLine::look(Check::Treatments, message))
}

/// Refuses a mask whose changes belong to the records it was fitted to.
fn refuse_bound(stored: &StoredMask) -> Result<()> {
    if let Some(promise) = stored.privacy.iter().find(|promise| privacy::draws(&promise.model)) {
        return Err(Error::input(format!(
            "a mask under `{}` cannot be applied again: its promise rests on a sample, and a second one adds to it",
            promise.model
        ))
        .hint("run `equanym release` anew; the epsilon and delta of all releases from the same people add up"));
    }
    if stored.left_out {
        return Err(Error::input(
            "a mask whose balance left out records by choice cannot be applied again: the choice belongs to its records",
        )
        .hint("run `equanym release` with the same policy on these data"));
    }
    if stored.mask.fits_other_tables() {
        return Ok(());
    }
    let method = stored.method.escape_debug();
    Err(Error::input(format!(
        "a mask of the method `{method}` cannot be applied again: what it did belongs to the records it was fitted to"
    ))
    .hint("run `equanym release` with the same policy on these data"))
}

/// The recoded columns, in the order of the mask.
fn quasi(stored: &StoredMask) -> impl Iterator<Item = &ColumnMask> {
    stored.mask.columns.iter().filter(|column| column.role == Role::QuasiIdentifying && column.recoding.is_some())
}

fn recoded(stored: &StoredMask) -> Vec<(ColumnMask, Recoding)> {
    quasi(stored).filter_map(|column| Some((column.clone(), column.recoding.clone()?))).collect()
}

/// Unknown values get a label as the mask's rule says; the mask of the new release lists them.
fn label_unknown_values(stored: &mut StoredMask, keys: &Keys) {
    let label = match stored.unknown_values {
        UnknownValues::Error => return,
        UnknownValues::Top => TOP,
        UnknownValues::Suppress => WITHHELD,
    };
    let columns = stored.mask.columns.iter_mut().filter(|column| column.role == Role::QuasiIdentifying);
    let recoded = columns.filter_map(|column| Some((column.number, column.recoding.as_mut()?)));
    for ((number, recoding), values) in recoded.zip(&keys.values) {
        let values = values.iter().map(|value| canonical(value, number));
        let unknown: Vec<String> = values.filter(|value| recoding.label(value).is_err()).collect();
        recoding.labels.extend(unknown.into_iter().map(|value| (value, label.to_owned())));
    }
}

/// Whether a class has a label that says that it is withheld.
fn is_withheld(table: &Table, class: usize) -> bool {
    (0..table.variables.len()).any(|variable| table.label(table.keys(), class, variable) == WITHHELD)
}

/// The table as the mask recodes it: its values are labels, its ladders have nothing left to climb.
fn recoded_table(
    recoded: &[(ColumnMask, Recoding)],
    sensitive: &[Spread],
    keys: &Keys,
    people: Option<&[u32]>,
    population: Option<&population::Labelled>,
) -> Result<Table> {
    let mut labels_of: Vec<Vec<String>> = Vec::new();
    for ((column, recoding), raw) in recoded.iter().zip(&keys.values) {
        let labels = raw.iter().map(|value| recoding.label(&canonical(value, column.number)));
        labels_of.push(labels.collect::<std::result::Result<_, _>>().map_err(|_| Error::internal())?);
    }
    let mut variables = Vec::new();
    let mut columns = Vec::new();
    for (place, (column, _)) in recoded.iter().enumerate() {
        let more = population.map_or(&[] as &[String], |population| population.labels(place));
        let labels = tabulate::distinct(&[labels_of[place].as_slice(), more].concat());
        let hierarchy = Builder::None.fit(&labels).map_err(|error| Error::input(error.to_string()))?;
        columns.push(tabulate::recode(&keys.columns[place], &labels_of[place], false, &hierarchy)?);
        variables.push(Variable { name: column.name.clone(), hierarchy, min_level: 0, max_level: 0, weight: 0.0 });
    }
    let spreads = tabulate::spreads(sensitive, recoded.len(), keys);
    let table = tabulate::table(variables, &columns, keys.counts.clone(), spreads, people)?;
    match population {
        Some(population) => population.around(table),
        None => Ok(table),
    }
}

/// Which classes may be released; a refusal where too many may not.
fn judge(stored: &StoredMask, table: &Table, counts: &Counts<'_>) -> Result<Verdict> {
    let unit = stored.limit_unit.unit();
    let models = || stored.privacy.iter().map(|one| (one.model.as_str(), &one.parameters));
    let guard: Guard = guard(models(), counts.seen)?.limiting(unit);
    let verdict = guard.judge_among(table.keys(), |class| !is_withheld(table, class));
    let (failing, whole) = (verdict.limited(unit), limited(unit, table));
    let allowance = share_of(stored.suppression_limit, whole);
    if failing <= allowance {
        return Ok(verdict);
    }
    let known = (0..table.keys().len()).map(|class| !is_withheld(table, class)).collect();
    let unknown = Verdict::keeping(known, table.keys()).suppressed;
    // Records that are withheld whatever the levels are count against the limit at every node.
    let looks_at_population = stored.population_models().next().is_some();
    let safe = if unknown > 0 || looks_at_population { None } else { levels::find(stored, counts, &guard, allowance)? };
    let judged = Judged { stored, table, seen: counts.seen, failing, whole, allowance, unknown };
    Err(judged.refusal(safe.as_ref())?)
}

/// What became of the values of the counted columns.
fn frequencies(
    recoded: &[(ColumnMask, Recoding)],
    table: &Table,
    verdict: &Verdict,
    counts: &Counts<'_>,
) -> Vec<ColumnFrequencies> {
    let keys = counts.keys;
    let of_column = |(place, (column, recoding)): (usize, &(ColumnMask, Recoding))| {
        let mut values: BTreeMap<String, u64> = BTreeMap::new();
        for (value, count) in keys.values[place].iter().zip(keys.occurrences(place)).filter(|(_, count)| *count > 0) {
            *values.entry(canonical(value, column.number)).or_default() += count;
        }
        let after = kept_labels(table, table.keys(), verdict, place);
        of_mask(&column.name, (&values, &after), |value| recoding.label(value).ok())
    };
    let sensitive = of_sensitive(table, (table.keys(), verdict), counts.sensitive, &keys.values[recoded.len()..]);
    recoded.iter().enumerate().map(of_column).chain(sensitive).collect()
}

/// The stored mask with the keys that these data must withhold.
fn refit(mut stored: StoredMask, table: &Table, verdict: &Verdict, values: Vec<Vec<String>>) -> Result<Fitted> {
    let privacy = held(&stored, verdict.suppressed);
    let mut report = describe(table, table.keys(), verdict, &stored.method, privacy)?;
    report.checklist.extend(linked_records(&stored, alone(table.keys(), verdict), report.persons));
    let recoded = recoded(&stored);
    report.node = NamedLevels(recoded.iter().map(|(column, recoding)| (column.name.clone(), recoding.level)).collect());
    let levels = recoded.iter().map(|(_, recoding)| (recoding.level, recoding.levels.saturating_sub(1)));
    of_recoded(table, verdict, &mut report, levels);
    stored.mask.suppressed = global_recoding::suppressed(table, table.keys(), verdict);
    let labels = occurring(table, table.keys(), verdict);
    Ok(Fitted { stored, values, labels, report, by_record: ByRecord::default() })
}
