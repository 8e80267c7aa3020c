//! What the paper on properties of interest measured, with our numbers.
//!
//! Figures 1 (six patients in four ways), 3a (listing localities), 3b (walking), 4 (clusters, against noise) and 5 (averages,
//! against Mondrian), under the paper's conditions and under ours, on tables made here and on adult where it is at hand. Besides:
//! when the published walk moves, and what `order = false` does.
//!
//! Source: Xue et al. 2011, the introduction and the section on experiments.

mod clustering;
mod conditions;
mod cost;
mod data;
mod freezing;
mod introduction;
mod order;
mod plot;
mod queries;
mod report;

use crate::failure::Result;
use crate::settings::Settings;
use conditions::Walker;
use data::Data;
use report::Results;

/// How many records are looked at.
struct Extent {
    /// Segments of each size and column in Figure 3a.
    segments: usize,
    /// The synthetic table and the census in Figures 3b and 4: the paper has 10,000 and 75,000.
    synthetic: usize,
    census: usize,
    /// Tables that the paper does not have, and `order = false`.
    others: usize,
    /// Figure 5 with our walk: the paper has 30,000.
    asked: usize,
    /// Figure 5 with the published sampler: 40,000 steps in every partition of 20, under two conditions.
    published: usize,
    /// When the published walk moves.
    freezing: usize,
}

const WHOLE: Extent = Extent {
    segments: 25,
    synthetic: 10_000,
    census: 75_000,
    others: 3000,
    asked: 30_000,
    published: 6000,
    freezing: 300,
};

const QUICK: Extent =
    Extent { segments: 3, synthetic: 1000, census: 1000, others: 500, asked: 2000, published: 400, freezing: 100 };

/// Measures, and writes the page, the figures and their numbers.
pub fn reproduce(settings: &Settings) -> Result<()> {
    let results = measure(settings, if settings.quick { &QUICK } else { &WHOLE })?;
    let text = page(settings, &results);
    println!("{text}");
    if !settings.quick || settings.write {
        std::fs::write(settings.home.join("REPRODUCE_WALK.md"), text)?;
        for (name, figure) in results.figures() {
            std::fs::write(settings.home.join(format!("{name}.svg")), plot::plot(&figure).file())?;
        }
        let patients = settings.home.join("../specs/pattern/introduction.md");
        std::fs::write(settings.home.join("walk-1.svg"), introduction::plot(&patients)?.file())?;
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
    }
    for data in [data::incomes(extent.freezing), census.first(extent.freezing).column("ages", 0)] {
        eprintln!("when it moves: {}", data.name);
        results.freezing.extend(freezing::measure(&data)?);
    }
    let adult = data::adult(&settings.data, extent.asked)?;
    let few = adult.as_ref().map(|data| data.first(extent.others));
    let own = data::clusters(extent.others);
    for data in [&synthetic.first(extent.others), &own, &census.first(extent.others)].into_iter().chain(&few) {
        eprintln!("order: {}", data.name);
        results.order.extend(order::measure(data)?);
    }
    let drawn = [synthetic.first(extent.synthetic), own, census.first(extent.census)];
    for data in drawn.iter().chain(&few) {
        eprintln!("clusters: {}", data.name);
        let (walks, trials) = clustering::compare(data)?;
        results.walks.extend(walks);
        results.clustering.extend(trials);
    }
    let weighted = adult.as_ref().map(data::weighted);
    let asked: Vec<Data> = adult.into_iter().chain(weighted).chain([census.first(extent.asked)]).collect();
    for (data, walker) in asked.iter().flat_map(|data| Walker::ALL.map(|walker| (data, walker))) {
        eprintln!("averages: {}, {}", data.name, walker.name());
        let records = if walker == Walker::Ours { extent.asked } else { extent.published };
        results.queries.extend(queries::compare(&data.first(records), walker)?);
    }
    Ok(results)
}

fn page(settings: &Settings, results: &Results) -> String {
    format!(
        "# The property-preserving walk against noise and Mondrian\n\n\
         Written by `cargo xtask reproduce walk{}`: do not edit.\n\n\
         Xue, Karras, Raïssi and Pung (Utility-driven anonymization in data publishing, CIKM 2011) measured what their walk \
         costs and how useful its output is. These are the same measurements. Their tables are a synthetic one of 10,000 \
         records, a sample of the 2008 census of the USA with 75,000, and adult with 30,000. Ours are a synthetic one and a made-up census \
         of the same sizes, and adult where it is at hand: age, hours per week (the table at hand has no final weight) and years of \
         education, with occupation as the sensitive variable; and the same with final weights made up in place of the hours \
         (`adult+weights`). \
         Five clouds are added, because a uniform table has no clusters. The number of records stands beside each result.\n\n\
         **The paper's conditions** are walked as published: a column is bounded by the domain of its attribute (ages by 1 and \
         120, others by their smallest and largest value), and no order is kept. Costs and clusters: partitions of 100 records, \
         4,000 steps. Averages: partitions of 20, 40,000 steps, theta tuned until the distortion is that of Mondrian or a little \
         more. **Ours** keep the order and bound a segment by its own range and a tenth of it. The published sampler is walked \
         under both. Our walk goes on until it has mixed; averages are tuned by the margin of `mixing` or, where that is too much, \
         by the sweeps of `coordinate`. Distortion is the mean relative change, with one per cent of the range as the smallest \
         value to compare with.\n\n\
         **Confirmed** and **not confirmed** are said of cases in which both sides distort alike (within a tenth) and differ. Where \
         there is none the claim is **not comparable**: a walk that distorts more and answers better refutes nothing.\n\n\
         ![Six patients in four ways](walk-1.svg)\n\n![When the published walk moves](walk-moves.svg)\n\n\
         ![Listing localities](walk-3a.svg)\n\n![Walking](walk-3b.svg)\n\n![Clusters](walk-4.svg)\n\n\
         ![Averages](walk-5.svg)\n\n\
         Figure 1 is made from [a page of the manual](../specs/pattern/introduction.md), which tells its story. The numbers of the \
         others stand in `walk-moves.csv`, `walk-3a.csv`, `walk-3b.csv`, `walk-4.csv` and `walk-5.csv`.\n\n\
         ## Claim by claim\n\n{}\n{}",
        settings.flags(),
        results.verdict(),
        results.text()
    )
}
