//! Controls for the parameters of a member, as its card describes them.

use equanym_core::card::{Kind, Parameter, Value};
use equanym_core::variable::Role;
use equanym_engine::policy::Policy;
use maud::{Markup, html};

use super::text::{prose, shown};

/// The longest slider of numbers with a fraction.
const MOST_ON_SLIDER: u32 = 10;

/// A control and what it is for.
pub(crate) struct Control<'a> {
    pub(crate) id: String,
    pub(crate) parameter: &'a Parameter,
    pub(crate) value: Option<&'a Value>,
    pub(crate) policy: &'a Policy,
}

impl Control<'_> {
    /// The label and the control.
    pub(crate) fn draw(&self) -> Markup {
        html! {
            div class="control" {
                label for=(self.id) { code { (self.parameter.name) } " " span { (prose(self.parameter.summary)) } }
                (self.input(self.parameter.kind))
            }
        }
    }

    /// The control without its label.
    pub(crate) fn input_alone(&self) -> Markup {
        self.input(self.parameter.kind)
    }

    fn given(&self) -> String {
        let given = self.value.map(|value| match value {
            Value::Integer(number) => number.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text.clone(),
            Value::Bool(flag) => flag.to_string(),
        });
        given.or(self.parameter.default.map(str::to_owned)).unwrap_or_default()
    }

    fn input(&self, kind: Kind) -> Markup {
        match kind {
            // What may be left out has no place on a slider.
            Kind::Optional(_) | Kind::WithParameter { .. } if self.given().is_empty() => self.text(),
            Kind::WithChoice { kind, .. } | Kind::WithParameter { kind, .. } | Kind::Optional(kind) => {
                self.input(*kind)
            }
            Kind::Between { min, max } => self.range(min as f64, max as f64, 1.0),
            Kind::Integer { min } => self.range(min as f64, (min + 1).max(50) as f64, 1.0),
            Kind::Above(least) if self.is_whole() => self.range((least + 1) as f64, (least + 1).max(20) as f64, 1.0),
            Kind::Share | Kind::PositiveShare => self.range(0.0, 1.0, 0.01),
            // On a slider as wide as that nobody finds a number.
            Kind::UpTo(most) if most > MOST_ON_SLIDER => self.text(),
            Kind::UpTo(most) => self.range(0.0, f64::from(most), 0.01),
            Kind::Choice(words) => self.select(words.iter().map(|word| (*word).to_owned())),
            Kind::Flag => self.select(["true", "false"].map(str::to_owned).into_iter()),
            Kind::SensitiveVariable => self.select(self.of_roles(&[Role::Sensitive])),
            Kind::UnrecodedVariable => self.select(self.of_roles(&[Role::Sensitive, Role::Insensitive])),
            Kind::Column | Kind::ColumnOrDate => self.select(self.policy.variables.iter().map(|one| one.name.clone())),
            Kind::ShareOr(_) | Kind::CountOr(_) | Kind::Above(_) | Kind::Number | Kind::Table => self.text(),
        }
    }

    fn of_roles<'r>(&'r self, roles: &'r [Role]) -> impl Iterator<Item = String> + 'r {
        self.policy.variables.iter().filter(|one| roles.contains(&one.role)).map(|one| one.name.clone())
    }

    /// Whether the number has no fraction.
    fn is_whole(&self) -> bool {
        self.given().parse::<i64>().is_ok()
    }

    /// A slider with its number beside it.
    fn range(&self, min: f64, max: f64, step: f64) -> Markup {
        let given = self.given();
        let max = given.parse::<f64>().map_or(max, |given| max.max(given));
        html! {
            span class="slider" {
                input type="range" id=(self.id) name=(self.parameter.name) min=(min) max=(max) step=(step) value=(given) data-live-input;
                output for=(self.id) { (given) }
            }
        }
    }

    fn select(&self, words: impl Iterator<Item = String>) -> Markup {
        let given = self.given();
        html! {
            select id=(self.id) name=(self.parameter.name) data-live-input {
                @for word in words { option value=(word) selected[word == given] { (shown(&word)) } }
            }
        }
    }

    fn text(&self) -> Markup {
        html! { input type="text" id=(self.id) name=(self.parameter.name) value=(self.given()) autocomplete="off" data-live-input; }
    }
}

/// A slider of its own.
pub(crate) struct Slider<'a> {
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
    pub(crate) bounds: (f64, f64, f64),
    pub(crate) value: f64,
    /// How the number is told.
    pub(crate) told: String,
}

impl Slider<'_> {
    pub(crate) fn draw(&self) -> Markup {
        let (min, max, step) = self.bounds;
        html! {
            span class="slider" {
                input type="range" id=(self.id) name=(self.name) min=(min) max=(max.max(self.value)) step=(step) value=(self.value) data-live-input;
                output for=(self.id) { (self.told) }
            }
        }
    }
}
