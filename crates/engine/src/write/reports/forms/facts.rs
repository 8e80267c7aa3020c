//! What the run knows, as pieces that forms share.

use equanym_core::report::ClassFindings;
use equanym_core::variable::Role;

use super::document::{FormCell, FormPart, FormTable, text};
use crate::write::reports::findings::{OwnerFindings, ReleaseFindings};
use crate::write::reports::pictures::THRESHOLDS;
use crate::write::reports::{figure, gallery, in_words};

/// What the release is, and for whom.
pub(super) fn provenance(findings: &OwnerFindings<'_>) -> FormPart {
    let ReleaseFindings { about, program, .. } = findings.release;
    let name = |words: &Option<String>| words.clone().map(FormCell::Said);
    FormPart::Facts(vec![
        ("Release", name(&about.title)),
        ("Table", findings.table.map(|table| FormCell::Said(table.to_owned()))),
        ("Purpose", name(&about.purpose)),
        ("Recipient", name(&about.recipient)),
        ("Date", name(&about.date)),
        ("Version of the policy", name(&about.version)),
        ("Program", Some(FormCell::words(program))),
    ])
}

/// How many records there were and are.
pub(super) fn records(findings: &OwnerFindings<'_>) -> FormPart {
    let ReleaseFindings { records, released, suppressed, persons, .. } = findings.release;
    // The owner is told always; what a release does not tell is that it was drawn at random.
    let (Some(records), Some(suppressed)) = (records, suppressed) else {
        let released = format!("Released: {}, drawn at random.", figure::count(released));
        return FormPart::List(vec![released, "How many records the table has is not public.".to_owned()]);
    };
    let share = |part| figure::percent(figure::share(part, records));
    let mut lines = vec![
        format!("Records of the table: {}.", figure::count(records)),
        format!("Released: {} ({}).", figure::count(released), share(released)),
        format!(
            "Withheld, because their combination of values may not be released: {} ({}).",
            figure::count(suppressed),
            share(suppressed)
        ),
    ];
    lines.extend(
        persons
            .map(|people| format!("People in the table: {}; people are counted, not records.", figure::count(people))),
    );
    FormPart::List(lines)
}

/// Every column, what it is and what became of it.
pub(super) fn columns(findings: &OwnerFindings<'_>) -> FormPart {
    let dropped = findings.dropped_columns.iter();
    let dropped = dropped
        .map(|name| vec![FormCell::name(*name), FormCell::words("direct identifier"), FormCell::words("not released")]);
    let unknown = findings
        .of_public
        .then(|| vec![FormCell::Open, FormCell::words("direct identifier"), FormCell::words("not released")]);
    let released = findings.release.columns.iter().map(|column| {
        let words = match column.role {
            Role::Identifying => "direct identifier",
            Role::Pseudonym => "direct identifier, replaced by a keyed token",
            Role::QuasiIdentifying => "quasi-identifier",
            Role::Sensitive => "sensitive",
            Role::Insensitive => "neither",
        };
        vec![FormCell::name(column.name), FormCell::words(words), FormCell::Said(column.words())]
    });
    FormPart::Table(FormTable {
        caption: "Each column, what it was taken for, and what stands in the release.",
        headings: vec!["Column", "Taken for", "In the release"],
        rows: dropped.chain(unknown).chain(released).collect(),
    })
}

/// The privacy models, which hold.
pub(super) fn models(findings: &OwnerFindings<'_>) -> FormPart {
    if findings.release.privacy.is_empty() {
        return text("No privacy model was asked for: nothing is guaranteed.");
    }
    let rows = findings.release.privacy.iter().map(|one| {
        let parameters = one.parameters.iter().map(|(name, value)| format!("{name} = {}", in_words::value(value)));
        vec![
            FormCell::words(one.model),
            FormCell::Said(parameters.collect::<Vec<_>>().join(", ")),
            FormCell::words(in_words::sentence(&one.summary)),
        ]
    });
    FormPart::Table(FormTable {
        caption: "The privacy models that every released class satisfies.",
        headings: vec!["Model", "Parameters", "What it says"],
        rows: rows.collect(),
    })
}

/// Risk before and after, in numbers.
pub(super) fn risk(findings: &OwnerFindings<'_>) -> FormPart {
    let unit = findings.release.unit();
    let Some(after) = &findings.release.risk else {
        let open = "What is the risk? The release does not tell it: the owner of the data has measured it.";
        return if findings.of_public { FormPart::Open(open) } else { text("The risk was not measured.") };
    };
    if findings.release.new_values.is_some() {
        return text(
            "Columns have new values, which no privacy model covers: there is no bound on the risk. `report.html` has what was measured.",
        );
    }
    let before = |of: fn(&ClassFindings) -> String| match findings.original {
        Some(found) => FormCell::words(of(found)),
        None if findings.of_public => FormCell::Open,
        None => FormCell::words("not measured"),
    };
    let after_percent = |risk: Option<f64>| FormCell::words(figure::shown_as(risk, figure::percent));
    let classes = &findings.release.classes;
    let rows = vec![
        vec![
            FormCell::words("Highest risk of recognition"),
            before(|found| figure::percent(found.risk.prosecutor_max)),
            after_percent(after.prosecutor_max),
        ],
        vec![
            FormCell::words("Risk of recognition on average"),
            before(|found| figure::percent(found.risk.prosecutor_mean)),
            after_percent(after.prosecutor_mean),
        ],
        vec![
            FormCell::words(format!("{} in the smallest class", in_words::capital(unit))),
            before(|found| figure::count(found.classes.min)),
            FormCell::words(figure::shown(classes.min, None)),
        ],
        vec![
            FormCell::words("Classes"),
            before(|found| figure::count(found.classes.count)),
            FormCell::words(figure::count(classes.count)),
        ],
    ];
    FormPart::Table(FormTable {
        caption: "The prosecutor risk: the intruder knows that a person is in the table, and all their quasi-identifiers.",
        headings: vec!["Measure", "Original", "Release"],
        rows,
    })
}

/// The same as a picture, where there is one.
pub(super) fn risk_picture(findings: &OwnerFindings<'_>) -> Option<FormPart> {
    let original = findings.original.map(|found| found.risk);
    let picture =
        gallery::risks(&findings.release, original).filter(|_| findings.release.new_values.is_none())?.picture();
    let note = "of the original and of the release; dashed lines are thresholds";
    Some(FormPart::Picture { caption: "Risk of recognition", note, picture })
}

/// The measured risk beside each threshold.
pub(super) fn thresholds(findings: &OwnerFindings<'_>) -> FormPart {
    let highest = findings.release.risk.as_ref().and_then(|risk| risk.prosecutor_max);
    let highest = highest.filter(|_| findings.release.new_values.is_none());
    let verdict = |threshold: f64| match highest {
        Some(risk) if risk <= threshold => format!("not exceeded: {}", figure::percent(risk)),
        Some(risk) => format!("exceeded: {}", figure::percent(risk)),
        None => "not known".to_owned(),
    };
    let rows = THRESHOLDS.iter().map(|one| {
        vec![
            FormCell::words(one.number),
            FormCell::words(one.about),
            FormCell::words(one.source),
            FormCell::words(verdict(one.risk)),
        ]
    });
    FormPart::Table(FormTable {
        caption: "Thresholds for the highest risk, and whether the release exceeds them.",
        headings: vec!["Threshold", "For", "Set by", "Highest risk"],
        rows: rows.collect(),
    })
}

/// What was lost, column by column.
pub(super) fn utility(findings: &OwnerFindings<'_>) -> Vec<FormPart> {
    let mut parts = Vec::new();
    parts.extend(findings.worth.map(|worth| text(in_words::sentence(&worth.sentence))));
    let share = |found: Option<f64>| match found {
        Some(share) => FormCell::words(figure::percent(share)),
        None if findings.of_public => FormCell::Open,
        None => FormCell::words("–"),
    };
    let distance =
        |name: &str| share(findings.frequencies.iter().find(|one| one.column == name).map(|one| one.total_variation));
    let kept = |name: &str| share(findings.kept.iter().find(|one| one.column == name).map(|one| one.share));
    let rows = findings
        .release
        .columns
        .iter()
        .filter(|column| column.role == Role::QuasiIdentifying)
        .map(|column| vec![FormCell::name(column.name), kept(column.name), distance(column.name)]);
    let rows: Vec<Vec<FormCell>> = rows.collect();
    if !rows.is_empty() {
        parts.push(FormPart::Table(FormTable {
            caption: "For each quasi-identifier the share of its bits that is kept, and the share of records that would have to \
                      change to make the frequencies of the one of the other.",
            headings: vec!["Column", "Detail kept", "Distance"],
            rows,
        }));
    }
    parts
}

/// Who was withheld, by group.
pub(super) fn groups(findings: &OwnerFindings<'_>) -> Option<FormPart> {
    let rows: Vec<Vec<FormCell>> = gallery::group_shares(findings)
        .into_iter()
        .map(|group| {
            let share = group.share.map_or_else(|| "too few to be told".to_owned(), figure::percent);
            vec![FormCell::words(group.name), FormCell::words(share)]
        })
        .collect();
    let caption = "The share of the records of each group that is withheld: small groups lose more.";
    (!rows.is_empty()).then(|| FormPart::Table(FormTable { caption, headings: vec!["Group", "Withheld"], rows }))
}

/// What the owner should look at, as the run found it.
pub(super) fn checklist(findings: &OwnerFindings<'_>) -> FormPart {
    let open = findings.checklist.lines().iter().filter(|line| line.advice != equanym_core::checklist::Advice::Ok);
    let rows: Vec<Vec<FormCell>> = open
        .map(|line| {
            vec![
                FormCell::words(line.check.name()),
                FormCell::words(line.advice.word()),
                FormCell::Said(in_words::sentence(&line.message)),
            ]
        })
        .collect();
    if findings.of_public {
        return FormPart::Open(
            "What does the checklist of the run ask to look at? It is in the private report of the release.",
        );
    }
    if rows.is_empty() {
        return text("The checklist of the run has nothing to look at.");
    }
    FormPart::Table(FormTable {
        caption: "What the checklist of the run asks to look at.",
        headings: vec!["Check", "Verdict", "What was found"],
        rows,
    })
}

/// What the audit found.
pub(super) fn audit(findings: &OwnerFindings<'_>) -> FormPart {
    let Some(verdict) = findings.audit else { return text("The release was not audited yet.") };
    let passed = verdict.checks.iter().filter(|check| check.passed).count() as u64;
    text(format!(
        "The written release was read back and recounted by independent code before it appeared: {} of {} passed. Anybody who \
         holds it can repeat that: `equanym audit DIR/public`.",
        figure::count(passed),
        figure::counted(verdict.checks.len() as u64, "check", "checks"),
    ))
}

/// How the method works, and how the levels were found.
pub(super) fn method(findings: &OwnerFindings<'_>) -> Vec<FormPart> {
    let mut parts = Vec::new();
    parts.extend(
        findings
            .release
            .method_card()
            .map(|card| text(format!("Method `{}`: {}. {}", card.name, card.summary, card.about))),
    );
    if let Some(choice) = &findings.release.choice {
        let proof = if choice.optimal {
            "It is proven that no safe choice of levels is better"
        } else {
            "A better choice of levels may exist"
        };
        parts.push(text(format!(
            "The levels were found by the search `{}`. {proof} by the measure that was chosen.",
            choice.search
        )));
    }
    parts
}
