//! The policy file: what is asked of a release.
//!
//! A policy is TOML, read strictly: an unknown key is an error that names the nearest known one, and each error tells
//! the line and the next step. What the models, losses and searches are called and take stands on their cards in the
//! core; this room names none of them. Values of the data may stand in hierarchies and are never repeated in a message.
//!
//! A policy says what is wanted; whether the data can satisfy it is found out later. Only the names of columns are
//! compared here ([`Policy::check_columns`]).
//!
//! ```
//! use equanym_engine::policy::Policy;
//!
//! let text = "[variables.age]\nrole = \"quasi-identifying\"\nhierarchy = { intervals = [5, 10] }";
//! let no_files = |_: &str| Err(equanym_engine::error::Error::input("no files here"));
//! let policy = Policy::parse(text, &no_files).unwrap();
//! assert_eq!(policy.variables[0].name, "age");
//!
//! let mistake = Policy::parse(&text.replace("role", "rolle"), &no_files).unwrap_err();
//! assert!(mistake.to_string().starts_with("policy line 2: unknown key `rolle` in [variables.age]"));
//! ```

mod agreement;
mod columns;
mod data;
mod frontier;
mod hierarchy;
mod keys;
mod marks;
mod method;
pub mod nearest;
mod notes;
mod person;
mod place;
mod points;
mod preferences;
mod preset;
mod privacy;
mod property;
pub mod reference;
mod sampling;
mod schema;
mod share;
mod syntax;
mod table;
mod treated;
mod treatment;
mod variable;
mod vary;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use equanym_core::privacy::ModelNeeds;
use equanym_core::treatment::Treatment;
use equanym_core::variable::Role;
use sha2::{Digest, Sha256};
use toml::de::DeTable;

pub use data::{Format, Output, RecordOrder, Types};
pub use equanym_core::balance::{Amount, Ration, Suppression, UnwantedLevel};
pub use frontier::{FrontierPolicy, LossAxis, MOST_POINTS, ParameterSweep, RiskAxis};
pub use marks::NewValuesPolicy;
pub use method::{MOST_CHOICES, MethodPolicy, UnknownValues, duration};
pub use notes::{About, ReleaseNotes, day_of};
pub use person::LimitUnit;
pub use preferences::{LevelDial, Preferences, Unit};
pub use preset::PresetPolicy;
pub use privacy::PrivacyPolicy;
pub use property::PropertyPolicy;
pub use schema::schema;
pub use share::share_of;
pub use variable::{Levels, Points, ValueKind, VariablePolicy};
pub use vary::{PolicySetting, moved, varied};

use crate::error::{Error, Result};
use crate::read::text_file;
use crate::read::{ColumnForm, Reading};
use keys::KeyShape::{List, Named, Table};
use keys::{Section, key};
use place::LineStarts;
use table::PolicyTable;

/// What is asked of a release.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// How the table is read.
    pub data: Reading,
    /// The column that tells people apart, where one is named: then people are counted, not records.
    pub person: Option<String>,
    /// What each column is, in the order of the file.
    pub variables: Vec<VariablePolicy>,
    /// The privacy models that a release must satisfy.
    pub privacy: Vec<PrivacyPolicy>,
    /// The presets that it names; their models are among those above.
    pub presets: Vec<PresetPolicy>,
    /// How the release is found.
    pub method: MethodPolicy,
    /// What the balance of utility and privacy is worth.
    pub preferences: Option<Preferences>,
    /// How the release is written.
    pub output: Output,
    /// What a risk–utility map goes over.
    pub frontier: FrontierPolicy,
    /// What the release is for, in the words of its owner.
    pub notes: ReleaseNotes,
    /// The file of the key for pseudonyms and dates that move; a fresh key is made where none is named.
    pub key: Option<PathBuf>,
    /// The folder that the tables it names are looked for from.
    pub folder: PathBuf,
    /// How long reading it took, with the hierarchy files that it names.
    pub loading: Duration,
}

const POLICY: Section = Section::new(
    "The policy",
    "What is asked of a release.",
    &[
        preset::preset_key("a preset for the whole policy, as in `[[privacy]]`"),
        key("data", Table(&data::DATA), "how the table is read"),
        key("variables", Named(&Table(&variable::VARIABLE)), "what each column is, by its name"),
        key("privacy", List(&Table(&privacy::PRIVACY)), "the models that the release must satisfy"),
        key("method", Table(&method::METHOD), "how the release is found"),
        key("preferences", Table(&preferences::PREFERENCES), "what the balance is worth"),
        key("output", Table(&data::OUTPUT), "how the release is written"),
        key("frontier", Table(&frontier::FRONTIER), "what a risk–utility map goes over"),
        key("release", Table(&notes::RELEASE), "what the release is for"),
    ],
);

/// Gives the text of a hierarchy file by the name that the policy uses.
type FileTexts<'a> = dyn Fn(&str) -> Result<String> + 'a;

impl Policy {
    /// Reads a policy file; hierarchy files are looked for from its folder.
    pub fn load(path: &Path) -> Result<Self> {
        let started = Instant::now();
        let text = text_file::read_by_hand(path)?;
        let policy = Self::in_folder(&text, path.parent().unwrap_or(Path::new("")))?;
        Ok(Self { loading: started.elapsed(), ..policy })
    }

    /// Reads the text of a policy file as if it lay in a folder.
    pub fn in_folder(text: &str, folder: &Path) -> Result<Self> {
        let mut policy = Self::parse(text, &|name| text_file::read(&folder.join(name)))?;
        policy.notes.policy_sha256 = Some(Sha256::digest(text.as_bytes()).into());
        Ok(Self { folder: folder.to_owned(), ..policy })
    }

    /// Reads a policy; `files` gives the text of a hierarchy file by its name.
    pub fn parse(text: &str, files: &dyn Fn(&str) -> Result<String>) -> Result<Self> {
        let lines = LineStarts::new(text);
        let tables = syntax::read(text, &lines)?;
        let root = PolicyTable::root(&lines, &tables);
        root.allow(&POLICY.names())?;
        let nothing = DeTable::new();
        let section = |key| section(&root, key, &lines, &nothing);
        let mut variables = variable::variables(&section("variables")?, files)?;
        let privacy_given = root.get("privacy").is_some() || root.get(preset::PRESET).is_some();
        let person = person::person(&section("data")?, &mut variables, privacy_given)?;
        treated::check(&mut variables)?;
        let method = method::method(&section("method")?, &variables)?;
        agreement::check_limit(person.as_deref(), &method, &section("method")?)?;
        let whole = root.read(preset::PRESET, PresetPolicy::read)?;
        let (privacy, presets) = privacy::privacy(whole, root.get("privacy").as_ref(), &variables)?;
        agreement::check(&variables, &method, &privacy)?;
        variable::check_looked_at(&section("variables")?, &variables, |name| privacy::needs(&privacy, name))?;
        let preferences = root.get("preferences").map(|_| section("preferences"));
        let preferences =
            preferences.map(|table| preferences::preferences(&table?, &variables, &method)).transpose()?;
        agreement::check_withholding(preferences.as_ref(), &method, &section("preferences")?)?;
        let forms = forms(&variables, |name| privacy::needs(&privacy, name));
        let mut policy = Self {
            data: Reading { forms, ..data::data(&section("data")?)? },
            person,
            privacy,
            presets,
            method,
            preferences,
            output: data::output(&section("output")?)?,
            frontier: frontier::frontier(&section("frontier")?)?,
            notes: notes::notes(&section("release")?)?,
            variables,
            key: None,
            folder: PathBuf::new(),
            loading: Duration::ZERO,
        };
        sampling::settle(&mut policy, &section("method")?)?;
        Ok(policy)
    }

    /// Refuses data whose columns are not exactly the variables of the policy, in any order.
    pub fn check_columns(&self, columns: &[String]) -> Result<()> {
        columns::check(&self.variables, columns)
    }

    /// Refuses a policy that says too little for a release.
    pub fn require_release(&self) -> Result<()> {
        let has_new_values = self.variables.iter().any(|variable| variable.marked.is_some());
        let is_recoded = self.of_role(Role::QuasiIdentifying).any(|variable| variable.marked.is_none());
        if !is_recoded && has_new_values {
            return self.refuse_idle_models();
        }
        if !is_recoded {
            return Err(Error::input("the policy has no quasi-identifying variable: there is nothing to generalise")
                .hint("give role = \"quasi-identifying\" to the columns that others may know about a person"));
        }
        let has_rules = self.presets.iter().any(|one| one.preset.columns.is_some());
        if self.privacy.is_empty() && self.method.unguarded.is_none() && !has_rules {
            let models: Vec<&str> = equanym_core::privacy::ALL.iter().map(|member| member.card.name).collect();
            return Err(Error::input("the policy asks for no privacy: it has no [[privacy]]")
                .hint(format!("add one; models: {}", models.join(", "))));
        }
        Ok(())
    }

    /// Refuses a policy that says too little for a balance: points that do not sum to 100.
    pub fn require_balance(&self) -> Result<()> {
        points::check_points(&self.variables, None)
    }

    /// Privacy models guard recoded columns; a policy that recodes none must not look as if it gave a guarantee.
    fn refuse_idle_models(&self) -> Result<()> {
        let Some(model) = self.privacy.first() else { return Ok(()) };
        Err(Error::input(format!(
            "policy line {}: `{}` has nothing to guard: every quasi-identifying variable gets new values",
            model.line, model.model
        ))
        .hint(
            "new values come without a formal guarantee; remove [[privacy]], or leave a quasi-identifying variable to be \
             recoded",
        ))
    }

    /// What the privacy models look at that guard a variable.
    #[must_use]
    pub fn needs(&self, variable: &str) -> Vec<ModelNeeds> {
        privacy::needs(&self.privacy, variable)
    }

    /// The models that look at a population.
    pub(crate) fn population_models(&self) -> impl Iterator<Item = &PrivacyPolicy> {
        self.privacy.iter().filter(|model| model.needs() == ModelNeeds::Population)
    }

    /// Where the population lies that models look at.
    #[must_use]
    pub fn population(&self) -> Option<PathBuf> {
        let path = Path::new(self.population_models().find_map(PrivacyPolicy::table)?);
        let is_address = path.to_str().is_some_and(|text| text.contains("://"));
        Some(if is_address { path.to_owned() } else { self.folder.join(path) })
    }

    /// The variables of a role, in the order of the file.
    pub fn of_role(&self, role: Role) -> impl Iterator<Item = &VariablePolicy> {
        self.variables.iter().filter(move |variable| variable.role == role)
    }

    /// The variables with what happens to their cells before anything else.
    pub(crate) fn treatments(&self) -> impl Iterator<Item = (&str, &[Treatment])> {
        self.variables.iter().map(|variable| (variable.name.as_str(), variable.treatments.as_slice()))
    }

    /// How many of so many records, or people, may be suppressed, exact in decimal: 0.29 of 100 is 29.
    #[must_use]
    pub fn suppression_allowance(&self, whole: u64) -> u64 {
        self.method.suppression_allowance(whole)
    }
}

/// What the cells of columns are that hold more than text. A sensitive variable whose order matters, and is not told, holds
/// numbers.
fn forms(variables: &[VariablePolicy], needs: impl Fn(&str) -> Vec<ModelNeeds>) -> BTreeMap<String, ColumnForm> {
    let is_ordered = |one: &VariablePolicy| {
        one.role == Role::Sensitive && one.order.is_none() && needs(&one.name).contains(&ModelNeeds::Order)
    };
    // What is treated may be something else before: an age was a date.
    let is_collected = |one: &VariablePolicy| one.treatments.first().is_none_or(Treatment::reads_number);
    let form = |one: &VariablePolicy| match one.width {
        Some(width) => Some(ColumnForm::Code(width)),
        None => (is_collected(one) && (one.kind == ValueKind::Number || is_ordered(one))).then_some(ColumnForm::Number),
    };
    variables.iter().filter_map(|one| Some((one.name.clone(), form(one)?))).collect()
}

/// A table of the policy, empty when absent.
fn section<'a>(
    root: &PolicyTable<'a>,
    key: &str,
    lines: &'a LineStarts,
    nothing: &'a DeTable<'a>,
) -> Result<PolicyTable<'a>> {
    let table = root.get(key).map_or(Ok(PolicyTable::root(lines, nothing)), |item| item.table())?;
    Ok(table.titled(format!("[{key}]")))
}
