//! Promises as readers know them: model, variable and parameters.

use std::fmt;

use super::{Drawn, Estimator, Promise, Rule, Unit};

impl fmt::Display for Unit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Records => "records",
            Self::People => "people",
        })
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.rule {
            Rule::Size { k } => write!(out, "k-anonymity with k = {k}"),
            Rule::Distinct { l } => write!(out, "l-diversity of {name:?} with l = {l}"),
            Rule::Entropy { l, estimator } => {
                let by = if estimator == Estimator::Grassberger { ", estimated as Grassberger does" } else { "" };
                write!(out, "entropy l-diversity of {name:?} with l = {l}{by}")
            }
            Rule::Recursive { l, c } => write!(out, "recursive l-diversity of {name:?} with l = {l} and c = {c}"),
            Rule::Closeness { t, distance } => {
                write!(out, "t-closeness of {name:?} with t = {t} by {distance} distance")
            }
            Rule::Disclosure { delta, ignores_absent } => {
                let absent = if ignores_absent { ", absent values ignored" } else { "" };
                write!(out, "delta-disclosure of {name:?} with delta = {delta}{absent}")
            }
            Rule::Likeness { beta, enhanced } => {
                let kind = if enhanced { "enhanced" } else { "basic" };
                write!(out, "{kind} beta-likeness of {name:?} with beta = {beta}")
            }
            Rule::CostBenefit(amounts) => write!(out, "cost-benefit with {amounts}"),
            Rule::AverageRisk { max } => write!(out, "average-risk with max = {max}"),
            Rule::RecordsAtRisk { highest, share } => {
                write!(out, "records-at-risk with highest = {highest} and share = {share}")
            }
            Rule::SampleUniques { max } => write!(out, "sample-uniques with max = {max}"),
            Rule::PopulationUniques { max, law, population } => {
                write!(out, "population-uniques with max = {max}, as {law} estimates for a population {population}")
            }
            Rule::Drawn(Drawn { epsilon, epsilon_search, delta, beta, k, seeded }) => {
                let total = epsilon + epsilon_search;
                let void = if seeded { ", void because a seed was given" } else { "" };
                write!(
                    out,
                    "differential privacy with epsilon = {total} and delta = {delta}, by a sample with beta = {beta:.6} and k = {k}{void}"
                )
            }
            Rule::Lkc { l, k, c } => write!(out, "lkc of {name:?} with l = {l}, k = {k} and c = {c}"),
            Rule::AlphaK { alpha, k } => write!(out, "alpha-k of {name:?} with alpha = {alpha} and k = {k}"),
            Rule::Presence { min, max } => write!(out, "delta-presence with min = {min} and max = {max}"),
            Rule::Map { k } => write!(out, "k-map with k = {k}"),
            Rule::Estimated { k, least } => write!(out, "estimated k-map with k = {k}, by classes of {least}"),
        }?;
        if self.unit == Unit::People { out.write_str(" in people") } else { Ok(()) }
    }
}
