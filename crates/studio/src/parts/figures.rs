//! Pictures, all by the pen of the reports.

use equanym_core::card::Value;
use equanym_core::report::Report;
use equanym_core::utility::bars::{Bar, ColumnFrequencies};
use equanym_engine::policy::Policy;
use equanym_engine::run::live::{Bin, ChangedSpread};
use equanym_engine::write::pen::{Pen, Picture, WIDTH};
use equanym_engine::write::reports::Small;
use equanym_engine::write::reports::pictures::{
    ClassSizes, DetailPicture, Distribution, LabelShares, LostShare, RiskPair, Risks, SizeStep, THRESHOLDS,
};
use maud::{Markup, PreEscaped, html};

use super::text::shown;
use crate::number::with_noun;

/// A picture with its caption.
pub(crate) fn figure(caption: &Markup, picture: &Picture) -> Markup {
    html! { figure { figcaption { (caption) } (shown_picture(picture)) } }
}

/// A picture; the pen escapes what it is given.
pub(crate) fn shown_picture(picture: &Picture) -> Markup {
    PreEscaped(picture.svg())
}

/// Risk before and after.
pub(crate) fn risks(best: &Report) -> Picture {
    let before = best.original.as_ref();
    let one = |name, measure: &dyn Fn(&equanym_core::risk::Risk) -> f64| RiskPair {
        name,
        before: before.map(|found| measure(&found.risk)),
        after: Some(measure(&best.risk)),
    };
    let risks = vec![one("highest", &|risk| risk.prosecutor_max), one("mean", &|risk| risk.prosecutor_mean)];
    Risks { risks, thresholds: THRESHOLDS }.picture()
}

/// Class sizes before and after.
pub(crate) fn class_sizes(best: &Report, policy: &Policy) -> Picture {
    let ks = policy.privacy.iter().filter_map(|model| match model.parameters.get("k") {
        Some(Value::Integer(k)) => u64::try_from(*k).ok(),
        _ => None,
    });
    let (k, unit) = (ks.max(), if best.persons.is_some() { "people" } else { "records" });
    let steps = SizeStep::all(&best.pictured.people, Some(&best.pictured.original), k, Small::Shown);
    ClassSizes { steps: &steps, k, unit }.picture()
}

/// What each column loses.
pub(crate) fn detail_lost(best: &Report) -> Picture {
    let names: Vec<(String, f64)> = best.pictured.kept.iter().map(|(name, kept)| (shown(name), 1.0 - kept)).collect();
    let columns = names.iter().map(|(name, share)| LostShare { name, share: *share }).collect();
    DetailPicture { columns }.picture()
}

/// The values of a column before and after.
pub(crate) fn before_and_after(column: &ColumnFrequencies) -> Picture {
    let label = |bar: &Bar| match (&bar.value, &bar.to) {
        (Some(value), _) if value.is_empty() => "missing".to_owned(),
        (Some(first), Some(last)) => format!("{} … {}", shown(first), shown(last)),
        (Some(value), None) => shown(value),
        (None, _) => format!("{} others", bar.values),
    };
    let shares = column.bars.iter().map(|bar| LabelShares {
        label: label(bar),
        before: Some(bar.original),
        after: bar.released,
    });
    let untold = [("became *", column.unknown), ("withheld", column.withheld)];
    let untold = untold.into_iter().filter(|(_, share)| *share > 0.0).map(|(name, share)| (name.to_owned(), share));
    Distribution { name: &shown(&column.column), shares: shares.collect(), untold: untold.collect() }.picture()
}

/// The values of a column before, and the new ones.
pub(crate) fn changed(column: &ChangedSpread) -> Picture {
    let shares = column.bars.iter().map(|bar| LabelShares {
        label: shown(&bar.label),
        before: Some(bar.before),
        after: bar.after,
    });
    Distribution { name: &shown(&column.name), shares: shares.collect(), untold: Vec::new() }.picture()
}

/// The most frequent values of a column.
pub(crate) fn frequent(name: &str, values: &[(String, u64)], records: u64) -> Picture {
    let share = |count: u64| count as f64 / records.max(1) as f64;
    let shares =
        values.iter().map(|(value, count)| LabelShares { label: shown(value), before: None, after: share(*count) });
    Distribution { name: &shown(name), shares: shares.collect(), untold: Vec::new() }.picture()
}

/// How the records of a column spread over its values, in their order.
pub(crate) fn histogram(bins: &[Bin]) -> Picture {
    const HEIGHT: f64 = 56.0;
    let most = bins.iter().map(|bin| bin.records).max().unwrap_or(1).max(1);
    let width = WIDTH / bins.len().max(1) as f64;
    let mut pen = Pen::default();
    for (place, bin) in bins.iter().enumerate() {
        let height = if bin.records > 0 { (bin.records as f64 / most as f64 * HEIGHT).max(1.0) } else { 0.0 };
        let words = format!("{}: {}", shown(&bin.label), with_noun(bin.records, "record", "records"));
        let corner = (place as f64 * width, HEIGHT - height);
        pen.titled(&words, |pen| pen.bar("after", corner, (width - 1.0, height)));
    }
    Picture::new("How the records spread", "Bars over the values in their order", HEIGHT, pen)
}
