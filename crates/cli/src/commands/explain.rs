//! `equanym explain`: one member's card in full, or a word of the glossary.

use std::fmt::Write;

use clap::Args;
use equanym_core::card::{Kind, Parameter};
use equanym_engine::error::{Error, Result};
use equanym_engine::policy::nearest::nearest;
use serde::Serialize;

use super::Ending;
use crate::console::Console;
use crate::families::{self, Family, Member};
use crate::glossary::{self, GlossaryWord};
use crate::show;

/// Explain a privacy model, preset, loss, search, method, sampler, metric, target, distance, ladder, dialect or word
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 done · 2 there is no such name\n\nExample:\n  equanym list\n  equanym explain NAME"
)]
pub struct Explain {
    /// Its name, as `equanym list` shows it; FAMILY/NAME where two families use the same one. Or a word of the glossary, also
    /// as other programs or the literature have it: locality, k-minimal, ANOPI
    name: String,
}

/// A member with the family it belongs to.
#[derive(Serialize)]
struct ExplainedMember {
    family: &'static str,
    #[serde(flatten)]
    member: Member,
}

impl Explain {
    pub fn run(&self, console: Console) -> Result<Ending> {
        let families = families::all();
        let found: Vec<ExplainedMember> = families.iter().filter_map(|family| self.within(family)).collect();
        match <[ExplainedMember; 1]>::try_from(found) {
            Ok([explained]) => console.result(&explained, || text(&explained))?,
            Err(found) if found.is_empty() => self.word(&families, console)?,
            Err(found) => return Err(self.ambiguous(&found)),
        }
        Ok(Ending::Done)
    }

    fn within(&self, family: &Family) -> Option<ExplainedMember> {
        let name = match self.name.split_once('/') {
            Some((wanted, name)) if wanted == family.name => name,
            Some(_) => return None,
            None => &self.name,
        };
        let member = family.members.iter().find(|member| member.card.name.eq_ignore_ascii_case(name))?;
        Some(ExplainedMember { family: family.name, member: member.clone() })
    }

    fn ambiguous(&self, found: &[ExplainedMember]) -> Error {
        let names: Vec<String> = found.iter().map(|one| format!("`{}/{}`", one.family, one.member.card.name)).collect();
        Error::input(format!("`{}` is the name of several", show::name(&self.name)))
            .hint(format!("say which: {}", names.join(" or ")))
    }

    /// Explains what is no member: a word of the glossary, or a family.
    fn word(&self, families: &[Family], console: Console) -> Result<()> {
        let family = families.iter().find(|family| family.name.eq_ignore_ascii_case(&self.name));
        match (glossary::find(&self.name)?, family) {
            (Some(word), family) => console.result(&word, || in_words(&word, family)),
            (None, Some(family)) => console.result(family, || in_short(family)),
            (None, None) => Err(self.unknown(families)?),
        }
    }

    fn unknown(&self, families: &[Family]) -> Result<Error> {
        let error = Error::input(format!("nothing is called `{}`", show::name(&self.name)));
        let members = families.iter().flat_map(|family| &family.members).map(|member| member.card.name);
        Ok(match nearest(&self.name, members.chain(glossary::words()?)) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint("`equanym list` shows all names"),
        })
    }
}

fn text(explained: &ExplainedMember) -> String {
    let ExplainedMember { family, member } = explained;
    let card = &member.card;
    let mut text = format!("{}  ({family})\n", show::strong(card.name));
    text += &show::paragraph(card.summary, 0);
    text += "\n";
    text += &show::paragraph(card.about, 0);
    let facts = facts(member);
    section(&mut text, "Asks for", member.asks.iter().cloned());
    section(&mut text, "Promises", card.promises.iter().map(|promise| promise.text().to_owned()));
    section(&mut text, "Good to know", facts.into_iter());
    section(&mut text, "Parameters", card.parameters.iter().map(parameter));
    section(&mut text, "Source", [card.source.to_owned()].into_iter());
    text
}

fn in_words(word: &GlossaryWord, family: Option<&Family>) -> String {
    let mut text = format!("{}  (word)\n", show::strong(&word.words.join(", ")));
    text += &show::paragraph(&word.idea, 0);
    let elsewhere = word.elsewhere.iter().map(|(place, words)| format!("{place}: {}", words.replace('`', "")));
    section(&mut text, "Called elsewhere", elsewhere);
    section(&mut text, "Members", family.into_iter().map(listed));
    text
}

fn in_short(family: &Family) -> String {
    let mut text = format!("{}  (family)\n", show::strong(family.name));
    text += &show::paragraph(family.summary, 0);
    section(&mut text, "Members", [listed(family)].into_iter());
    text
}

/// The command that names the members of a family.
fn listed(family: &Family) -> String {
    format!("equanym list {}", family.name)
}

fn section(text: &mut String, title: &str, items: impl Iterator<Item = String>) {
    for (place, item) in items.enumerate() {
        if place == 0 {
            // A `String` takes everything.
            let _ = write!(text, "\n{}\n", show::strong(title));
        }
        text.push_str(&show::paragraph(&item, 2));
    }
}

fn facts(member: &Member) -> Vec<String> {
    let charging = member.charges_suppression.map(|charges| {
        if charges {
            "charges suppression: a release that suppresses everything costs most"
        } else {
            "does not charge suppression: a suppressed record costs no more than a released one"
        }
    });
    let weighing =
        member.weighs_variables.filter(|weighs| *weighs).map(|_| "weighs the variables by their user points");
    let default = member.default.then_some("chosen when the policy names none");
    [charging, weighing, default].into_iter().flatten().map(str::to_owned).collect()
}

fn parameter(parameter: &Parameter) -> String {
    let kind = parameter.kind.wanted();
    let default = match (parameter.default, parameter.kind) {
        (Some(default), Kind::WithParameter { parameter, .. }) => format!("with {parameter}; default: {default}"),
        (Some(default), _) => format!("default: {default}"),
        (None, Kind::Optional(_)) => "may be left out".to_owned(),
        (None, _) => "compulsory".to_owned(),
    };
    format!("{} ({kind}; {default}): {}", parameter.name, parameter.summary)
}
