//! The findings of a report as pictures on its page.
//!
//! What a reader may know is decided by the findings; here they are put into [`drawings`](super::drawings), with a caption and
//! a line that says how to read them.

use equanym_core::checklist::{Check, ChecklistLine, ChecklistNumber};
use equanym_core::report::{BalanceFindings, ClassFindings, GoodsAmounts, VariableBalance};
use equanym_core::risk::Risk;

use maud::{Markup, html};

use super::findings::{ColumnRecoding, LabelSpread, LadderWords, OwnerFindings, ReleaseFindings};
use super::pictures::{
    ClassSizes, DetailPicture, Distribution, GroupShare, LabelShares, LadderPicture, LadderRung, LostShare, RiskPair,
    Risks, RungGoods, Scales, THRESHOLDS, WithheldGroups, example,
};
use super::small::Small;
use super::{figure, page};
use crate::count::sketch::few;
use crate::write::pen::markup::paragraph;

/// Class sizes and risk side by side; `original` where the reader may know.
pub(super) fn classes_and_risk(findings: &ReleaseFindings<'_>, original: Option<&ClassFindings>) -> Markup {
    let unit = findings.unit();
    let k = findings.promised_k();
    let sizes = ClassSizes { steps: &findings.sizes, k, unit }.picture();
    let sizes = page::figure("Class sizes", &format!("shares of the {unit} in classes of each size"), &sizes);
    let risk = risks(findings, original.map(|found| found.risk)).map(|risk| {
        page::figure("Risk of recognition", "shares of 100%; dashed lines are the thresholds below", &risk.picture())
    });
    html! {
        (page::gallery([sizes].into_iter().chain(risk)))
        @if findings.risk.is_some() { (thresholds()) }
    }
}

pub(super) fn risks<'a>(findings: &ReleaseFindings<'_>, before: Option<Risk>) -> Option<Risks<'a>> {
    let after = findings.risk.as_ref()?;
    let one = |name, of: fn(Risk) -> f64, after| RiskPair { name, before: before.map(of), after };
    let risks = vec![
        one("highest", |risk| risk.prosecutor_max, after.prosecutor_max),
        one("on average", |risk| risk.prosecutor_mean, after.prosecutor_mean),
    ];
    Some(Risks { risks, thresholds: THRESHOLDS })
}

/// Who set the thresholds, and for what.
fn thresholds() -> Markup {
    let caption =
        "Thresholds for the highest risk, each set for a purpose of its own: which applies is for people to judge.";
    let rows = THRESHOLDS.iter().map(|one| page::row(one.number, [one.about, one.source]));
    page::table("thresholds", caption, &["Risk", "For", "Set by"], rows)
}

/// How the records spread over the labels of each recoded column, without a label.
pub(super) fn label_spreads(findings: &ReleaseFindings<'_>) -> Markup {
    page::gallery(findings.spread.iter().map(|column| {
        let labels = figure::counted(column.labels as u64, "label", "labels");
        page::named_figure(&column.column, &labels, &spread(column, findings.released).picture())
    }))
}

fn spread(column: &LabelSpread, released: u64) -> Distribution<'_> {
    let share = |label: String, count: u64| LabelShares { label, before: None, after: figure::share(count, released) };
    let place = |place: usize| match place {
        0 => "most frequent".to_owned(),
        1 => "2nd".to_owned(),
        2 => "3rd".to_owned(),
        more => format!("{}th", more + 1),
    };
    let frequent = column.most_frequent.iter().enumerate().map(|(rank, count)| share(place(rank), *count));
    let others = column.other_labels();
    let words = if column.most_frequent.is_empty() { "all" } else { "other" };
    let rest = (others > 0).then(|| share(format!("{} {words}", figure::count(others as u64)), column.others));
    Distribution { name: &column.column, shares: frequent.chain(rest).collect(), untold: Vec::new() }
}

/// The ladders as far as the manifest tells them: the released rung, the foot and the head.
pub(super) fn ladders(findings: &ReleaseFindings<'_>) -> Markup {
    page::gallery(findings.columns.iter().filter_map(|column| {
        let recoded = column.recoded.as_ref()?;
        let picture = told_ladder(column.name, recoded).picture();
        Some(page::named_figure(column.name, &place_in_words(recoded.level, recoded.levels), &picture))
    }))
}

fn place_in_words(level: u8, levels: u8) -> String {
    format!("level {level} of {}", levels.saturating_sub(1))
}

fn told_ladder<'a>(name: &'a str, recoded: &ColumnRecoding<'_>) -> LadderPicture<'a> {
    let (released, last) = (usize::from(recoded.level), usize::from(recoded.levels.saturating_sub(1)));
    let rule = recoded.labels.rule;
    let rung = |level: usize| match level {
        _ if level == released => {
            let value = example::value(&[rule]);
            let label = value.as_deref().and_then(|value| Some((value, example::label(rule, value)?)));
            let example = label.map(|(value, label)| format!("{value} → {label}"));
            LadderRung { words: Some(recoded.labels.words.clone()), example }
        }
        0 => LadderRung { words: Some("as collected".to_owned()), example: None },
        _ if level == last => LadderRung { words: Some("one label for every value".to_owned()), example: None },
        _ => LadderRung::default(),
    };
    LadderPicture { name, rungs: (0..=last).map(rung).collect(), released, preferred: None }
}

/// The ladders with all their rungs; where a balance was sought, what it would have preferred.
pub(super) fn owners_ladders(findings: &OwnerFindings<'_>) -> Markup {
    if findings.ladders.is_empty() {
        return ladders(&findings.release);
    }
    page::gallery(findings.ladders.iter().filter_map(|ladder| {
        let released = level_of(&findings.release.node.0, ladder.column)?;
        let preferred = findings.balance.and_then(|one| preferred(one, ladder.column));
        let levels = u8::try_from(ladder.rungs.len()).unwrap_or(u8::MAX);
        let picture = owners_ladder(ladder, released, preferred).picture();
        Some(page::named_figure(ladder.column, &place_in_words(released, levels), &picture))
    }))
}

/// The level that the preferences would choose of a column without guarantees.
fn preferred(balance: &BalanceFindings, column: &str) -> Option<u8> {
    level_of(&balance.unconstrained.as_ref()?.node.0, column)
}

fn owners_ladder<'a>(ladder: &LadderWords<'a>, released: u8, preferred: Option<u8>) -> LadderPicture<'a> {
    let rung =
        |one: &super::findings::RungWords| LadderRung { words: Some(one.words.clone()), example: one.example.clone() };
    LadderPicture {
        name: ladder.column,
        rungs: ladder.rungs.iter().map(rung).collect(),
        released: released.into(),
        preferred: preferred.map(usize::from),
    }
}

fn level_of(levels: &[(String, u8)], column: &str) -> Option<u8> {
    levels.iter().find(|(name, _)| name == column).map(|(_, level)| *level)
}

/// Detail lost, by column: bits where they were counted, steps of the ladders otherwise.
pub(super) fn detail(findings: &ReleaseFindings<'_>, kept: &[super::findings::KeptShare<'_>]) -> Markup {
    let (columns, words): (Vec<LostShare<'_>>, &str) = if kept.is_empty() {
        let steps = |recoded: &ColumnRecoding<'_>| {
            figure::share(recoded.level.into(), recoded.levels.saturating_sub(1).max(1).into())
        };
        let columns = findings.columns.iter();
        let lost = columns.filter_map(|one| Some(LostShare { name: one.name, share: steps(one.recoded.as_ref()?) }));
        (lost.collect(), "steps climbed, of those of the ladder: 0% is as collected, 100% one label for all")
    } else {
        let lost = kept.iter().map(|one| LostShare { name: one.column, share: 1.0 - one.share });
        (lost.collect(), "of the bits by which values tell records apart: 0% is as collected, 100% one label for all")
    };
    if columns.is_empty() {
        return Markup::default();
    }
    page::figure("Detail lost, by column", words, &DetailPicture { columns }.picture())
}

/// The share of each group that is withheld, as the checklist counted it.
pub(super) fn groups(findings: &OwnerFindings<'_>) -> Markup {
    let ReleaseFindings { records: Some(records), suppressed: Some(suppressed), .. } = findings.release else {
        return Markup::default();
    };
    let mut groups = group_shares(findings);
    for group in &mut groups {
        group.name = group.name.trim_start_matches("people ").trim_start_matches("born ");
    }
    if groups.is_empty() || suppressed == 0 {
        return Markup::default();
    }
    let picture = WithheldGroups { groups, all: figure::share(suppressed, records) }.picture();
    let words = "shares of the records of each group; groups of few records are not drawn";
    page::figure("Who was withheld", words, &picture)
}

/// The groups of whom records are withheld; of groups of few records the share is not told.
pub(super) fn group_shares<'a>(findings: &'a OwnerFindings<'_>) -> Vec<GroupShare<'a>> {
    let small = Small::HiddenBelow(few(findings.release.privacy.iter().map(|one| one.parameters)));
    let lines = findings.checklist.lines().iter().filter(|line| line.check == Check::Withheld);
    lines.filter_map(|line| group(line, small)).collect()
}

fn group(line: &ChecklistLine, small: Small) -> Option<GroupShare<'_>> {
    let number = |name: &str| line.numbers.iter().find(|(key, _)| *key == name).map(|(_, number)| *number);
    let Some(ChecklistNumber::Word(name)) = number("group") else { return None };
    let (Some(ChecklistNumber::Share(share)), Some(ChecklistNumber::Count(records))) =
        (number("share"), number("records"))
    else {
        return None;
    };
    Some(GroupShare { name, share: small.shown(records).map(|_| share) })
}

/// How to read the scales.
const SCALES: &str = "Each rung of a ladder gives a user something and keeps something from an intruder: protection grows to the left, \
                      utility to the right, both as shares of the most that the column can give. The ticks are at the optimum that \
                      the preferences ask for.";

/// What the rungs of each column give to a user and keep from an intruder.
pub(super) fn scales(findings: &OwnerFindings<'_>, balance: &BalanceFindings) -> Markup {
    let pictures = balance.variables.iter().filter_map(|one| {
        let released = level_of(&findings.release.node.0, &one.name)?;
        let preferred = preferred(balance, &one.name).unwrap_or(released);
        let words = if preferred == released {
            "preferred and released are the same rung".to_owned()
        } else {
            format!("preferred level {preferred} → released level {released}")
        };
        let ladder = findings.ladders.iter().find(|ladder| ladder.column == one.name);
        let picture = on_scales(one, ladder, (preferred, released)).picture();
        Some(page::named_figure(&one.name, &words, &picture))
    });
    html! { (paragraph(SCALES)) (page::gallery(pictures)) }
}

fn on_scales<'a>(
    one: &'a VariableBalance,
    ladder: Option<&LadderWords<'_>>,
    (preferred, released): (u8, u8),
) -> Scales<'a> {
    let most = |of: fn(&GoodsAmounts) -> f64| one.levels.iter().map(of).fold(f64::MIN_POSITIVE, f64::max);
    let (utility, protection) = (most(|goods| goods.utility), most(|goods| goods.protection));
    let words = |level: usize| ladder.and_then(|ladder| ladder.rungs.get(level)).map(|rung| rung.words.clone());
    let share = |goods: &GoodsAmounts, words: String| RungGoods {
        words,
        utility: goods.utility / utility,
        protection: goods.protection / protection,
    };
    let rungs = one.levels.iter().enumerate().map(|(level, goods)| share(goods, words(level).unwrap_or_default()));
    Scales {
        name: &one.name,
        rungs: rungs.collect(),
        optimum: share(&one.optimum, String::new()),
        preferred: preferred.into(),
        released: released.into(),
    }
}
