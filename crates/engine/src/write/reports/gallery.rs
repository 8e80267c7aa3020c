//! The findings of a report as pictures on its page.
//!
//! What a reader may know is decided by the findings; here they are put into [`drawings`](super::drawings), with a caption and
//! a line that says how to read them.

use equanym_core::checklist::{Check, ChecklistLine, ChecklistNumber};
use equanym_core::report::{BalanceFindings, ClassFindings, GoodsAmounts, VariableBalance};
use equanym_core::risk::Risk;

use super::findings::{Findings, LabelSpread, LadderWords, OwnerFindings, Recoded};
use super::pictures::{
    ClassSizes, DetailLost, Distribution, GroupShare, LabelShares, LadderPicture, LadderRung, LostShare, RiskPair,
    Risks, RungGoods, Scales, THRESHOLDS, WithheldGroups, example,
};
use super::small::{Small, few};
use super::{figure, page};
use crate::write::pen::markup::Html;

/// Class sizes and risk side by side; `original` where the reader may know.
pub(super) fn classes_and_risk(html: &mut Html, findings: &Findings<'_>, original: Option<&ClassFindings>) {
    let unit = findings.unit();
    page::gallery(html, |html| {
        let k = findings.promised_k();
        let sizes = ClassSizes { steps: &findings.sizes, k, unit }.picture();
        page::figure(html, "Class sizes", &format!("shares of the {unit} in classes of each size"), &sizes);
        if let Some(risk) = risks(findings, original.map(|found| found.risk)) {
            page::figure(
                html,
                "Risk of recognition",
                "shares of 100%; dashed lines are the thresholds below",
                &risk.picture(),
            );
        }
    });
    if findings.risk.is_some() {
        thresholds(html);
    }
}

pub(super) fn risks<'a>(findings: &Findings<'_>, before: Option<Risk>) -> Option<Risks<'a>> {
    let after = findings.risk.as_ref()?;
    let one = |name, of: fn(Risk) -> f64, after| RiskPair { name, before: before.map(of), after };
    let risks = vec![
        one("highest", |risk| risk.prosecutor_max, after.prosecutor_max),
        one("on average", |risk| risk.prosecutor_mean, after.prosecutor_mean),
    ];
    Some(Risks { risks, thresholds: THRESHOLDS })
}

/// Who set the thresholds, and for what.
fn thresholds(html: &mut Html) {
    let caption =
        "Thresholds for the highest risk, each set for a purpose of its own: which applies is for people to judge.";
    page::table(html, "thresholds", caption, &["Risk", "For", "Set by"], |html| {
        for one in THRESHOLDS {
            html.element("tr", &[], |html| {
                html.leaf("th", &[("scope", "row")], one.number);
                html.leaf("td", &[], one.about);
                html.leaf("td", &[], one.source);
            });
        }
    });
}

/// How the records spread over the labels of each recoded column, without a label.
pub(super) fn label_spreads(html: &mut Html, findings: &Findings<'_>) {
    page::gallery(html, |html| {
        for column in &findings.spread {
            let labels = figure::counted(column.labels as u64, "label", "labels");
            page::named_figure(html, &column.column, &labels, &spread(column, findings.released).picture());
        }
    });
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
pub(super) fn ladders(html: &mut Html, findings: &Findings<'_>) {
    page::gallery(html, |html| {
        for column in &findings.columns {
            let Some(recoded) = &column.recoded else { continue };
            let picture = told_ladder(column.name, recoded).picture();
            page::named_figure(html, column.name, &place_in_words(recoded.level, recoded.levels), &picture);
        }
    });
}

fn place_in_words(level: u8, levels: u8) -> String {
    format!("level {level} of {}", levels.saturating_sub(1))
}

fn told_ladder<'a>(name: &'a str, recoded: &Recoded<'_>) -> LadderPicture<'a> {
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
pub(super) fn owners_ladders(html: &mut Html, findings: &OwnerFindings<'_>) {
    if findings.ladders.is_empty() {
        return ladders(html, &findings.release);
    }
    page::gallery(html, |html| {
        for ladder in &findings.ladders {
            let Some(released) = level_of(&findings.release.node.0, ladder.column) else { continue };
            let preferred = findings.balance.and_then(|one| level_of(&one.unconstrained.node.0, ladder.column));
            let levels = u8::try_from(ladder.rungs.len()).unwrap_or(u8::MAX);
            let picture = owners_ladder(ladder, released, preferred).picture();
            page::named_figure(html, ladder.column, &place_in_words(released, levels), &picture);
        }
    });
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
pub(super) fn detail(html: &mut Html, findings: &Findings<'_>, kept: &[super::findings::Kept<'_>]) {
    let (columns, words): (Vec<LostShare<'_>>, &str) = if kept.is_empty() {
        let steps =
            |recoded: &Recoded<'_>| figure::share(recoded.level.into(), recoded.levels.saturating_sub(1).max(1).into());
        let columns = findings.columns.iter();
        let lost = columns.filter_map(|one| Some(LostShare { name: one.name, share: steps(one.recoded.as_ref()?) }));
        (lost.collect(), "steps climbed, of those of the ladder: 0% is as collected, 100% one label for all")
    } else {
        let lost = kept.iter().map(|one| LostShare { name: one.column, share: 1.0 - one.share });
        (lost.collect(), "of the bits by which values tell records apart: 0% is as collected, 100% one label for all")
    };
    if !columns.is_empty() {
        page::figure(html, "Detail lost, by column", words, &DetailLost { columns }.picture());
    }
}

/// The share of each group that is withheld, as the checklist counted it.
pub(super) fn groups(html: &mut Html, findings: &OwnerFindings<'_>) {
    let Findings { records: Some(records), suppressed: Some(suppressed), .. } = findings.release else { return };
    let least = Small::HiddenBelow(few(findings.release.privacy.iter().map(|one| one.parameters)));
    let groups = findings.checklist.lines().iter().filter(|line| line.check == Check::Withheld);
    let groups: Vec<GroupShare<'_>> = groups.filter_map(|line| group(line, least)).collect();
    if groups.is_empty() || suppressed == 0 {
        return;
    }
    let picture = WithheldGroups { groups, all: figure::share(suppressed, records) }.picture();
    page::figure(
        html,
        "Who was withheld",
        "shares of the records of each group; groups of few records are not drawn",
        &picture,
    );
}

fn group(line: &ChecklistLine, least: Small) -> Option<GroupShare<'_>> {
    let number = |name: &str| line.numbers.iter().find(|(key, _)| *key == name).map(|(_, number)| *number);
    let Some(ChecklistNumber::Word(name)) = number("group") else { return None };
    let (Some(ChecklistNumber::Share(share)), Some(ChecklistNumber::Count(records))) =
        (number("share"), number("records"))
    else {
        return None;
    };
    let name = name.trim_start_matches("people ").trim_start_matches("born ");
    Some(GroupShare { name, share: least.shown(records).map(|_| share) })
}

/// What the rungs of each column give to a user and keep from an intruder.
pub(super) fn scales(html: &mut Html, findings: &OwnerFindings<'_>, balance: &BalanceFindings) {
    html.paragraph(
        "Each rung of a ladder gives a user something and keeps something from an intruder: protection grows to the left, \
         utility to the right, both as shares of the most that the column can give. The ticks are at the optimum that the \
         preferences ask for.",
    );
    page::gallery(html, |html| {
        for one in &balance.variables {
            let Some(released) = level_of(&findings.release.node.0, &one.name) else { continue };
            let preferred = level_of(&balance.unconstrained.node.0, &one.name).unwrap_or(released);
            let words = if preferred == released {
                "preferred and released are the same rung".to_owned()
            } else {
                format!("preferred level {preferred} → released level {released}")
            };
            let ladder = findings.ladders.iter().find(|ladder| ladder.column == one.name);
            let picture = on_scales(one, ladder, (preferred, released)).picture();
            page::named_figure(html, &one.name, &words, &picture);
        }
    });
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
