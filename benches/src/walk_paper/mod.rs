//! What the paper on properties of interest measured, with our numbers.
//!
//! Figures 3a (listing localities), 3b (walking), 4 (clusters, against noise) and 5 (averages, against Mondrian) on tables
//! made here and on adult where it is at hand. The published walk and ours stand side by side: on real data the former
//! hardly moves, so that its good utility says nothing.
//!
//! Source: Xue et al. 2011, the section on experiments.

mod clustering;
mod cost;
mod data;
mod draw;
mod queries;
mod report;

use crate::failure::Result;
use crate::settings::Settings;
use data::Data;
use report::Results;

/// How much is looked at.
struct Extent {
    /// Segments of each size and column in Figure 3a.
    segments: usize,
    /// Records in Figures 3b and 4.
    records: usize,
    /// Records in Figure 5.
    asked: usize,
}

/// Measures, and writes the page, the figures and their numbers.
pub fn reproduce(settings: &Settings) -> Result<()> {
    let extent = if settings.quick {
        Extent { segments: 3, records: 1000, asked: 2000 }
    } else {
        Extent { segments: 25, records: 3000, asked: 30_000 }
    };
    let results = measure(settings, &extent)?;
    let text = page(settings, &results);
    println!("{text}");
    if !settings.quick || settings.write {
        std::fs::write(settings.home.join("REPRODUCE_WALK.md"), text)?;
        for (name, figure) in results.figures() {
            std::fs::write(settings.home.join(format!("{name}.svg")), draw::svg(&figure))?;
        }
        for (name, table) in results.tables() {
            std::fs::write(settings.home.join(format!("{name}.csv")), table)?;
        }
    }
    Ok(())
}

fn measure(settings: &Settings, extent: &Extent) -> Result<Results> {
    let mut results = Results::default();
    let (synthetic, census) = (data::synthetic(75_000), data::census(75_000));
    for data in [&synthetic, &census] {
        eprintln!("costs: {}", data.name);
        results.extraction.extend(cost::extraction(data, extent.segments));
        results.substitution.extend(cost::substitution(&data.first(extent.records))?);
    }
    let adult = data::adult(&settings.data, extent.asked)?;
    let drawn = [synthetic.first(extent.records), data::clusters(extent.records), census.first(extent.records)];
    let few = adult.as_ref().map(|data| data.first(extent.records));
    for data in drawn.iter().chain(&few) {
        eprintln!("clusters: {}", data.name);
        results.clustering.extend(clustering::compare(data)?);
    }
    let asked: Vec<Data> = adult.into_iter().chain([census.first(extent.asked)]).collect();
    for data in &asked {
        eprintln!("averages: {}", data.name);
        results.queries.extend(queries::compare(data)?);
    }
    Ok(results)
}

fn page(settings: &Settings, results: &Results) -> String {
    format!(
        "# The property-preserving walk against noise and Mondrian\n\n\
         Written by `cargo xtask reproduce walk{}`: do not edit.\n\n\
         Xue, Karras, Raïssi and Pung (Utility-driven anonymization in data publishing, CIKM 2011) measured what their walk \
         costs and how useful its output is. These are the same measurements on a synthetic table, on five clouds, on a made-up \
         census, and on adult where it is at hand (age, hours per week, years of education; occupation sensitive). Segments of \
         100 records, of 20 for the averages; the order is kept. Distortion is the mean relative change, with one per cent of \
         the range as the smallest value to compare with.\n\n\
         The published walk hardly moves: where its distortion is next to nothing, so is its protection, and good utility says \
         nothing. The default walk draws all tables with the kept properties alike. Theta has little effect once the order is \
         kept, so a wanted distortion is reached by the width of the domain, or, where that is too much, by a walk that is cut short.\n\n\
         ![Listing localities](walk-3a.svg)\n\n![Walking](walk-3b.svg)\n\n![Clusters](walk-4.svg)\n\n![Averages](walk-5.svg)\n\n\
         The numbers stand in `walk-3a.csv`, `walk-3b.csv`, `walk-4.csv` and `walk-5.csv`.\n\n\
         ## Claim by claim\n\n{}\n{}",
        settings.flags(),
        results.verdict(),
        results.text()
    )
}
