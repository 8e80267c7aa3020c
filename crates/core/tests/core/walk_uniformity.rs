//! Whether samplers draw all points of a region alike: against rejection sampling, in 2 to 5 dimensions.
//!
//! Points of the region are drawn independently, from the box around it, by throwing away those outside. Chains are
//! thinned until what is left is nearly independent. Each coordinate, the range, a weighted sum and the distance to the nearest face are
//! compared by the two-sample Kolmogorov-Smirnov statistic, and pairs of coordinates by chi-square on a grid. Seeds are
//! fixed; a statistic above its 0.01 % point fails. The published one-sided walk must fail, or the tests would be blind.

use equanym_core::random::{Seed, Stream};
use equanym_core::utility::kolmogorov_smirnov::distance;
use equanym_core::walk::locality;
use equanym_core::walk::region::{Block, LinearRelation, Region};
use equanym_core::walk::{ALL, SamplerMember};

/// Points on either side.
const POINTS: usize = 4000;

/// The 0.01 % point of Kolmogorov's law.
const KOLMOGOROV: f64 = 2.23;

/// Cells of the grid along each side.
const CELLS: usize = 5;

/// The 0.01 % point of chi-square by the approximation of Wilson and Hilferty.
fn chi_square_limit(degrees: f64) -> f64 {
    let part = 2.0 / (9.0 * degrees);
    degrees * (1.0 - part + 3.72 * part.sqrt()).powi(3)
}

fn block(values: &[i128], keep: usize, order: bool) -> Block {
    let scale = (values[values.len() - 1] - values[0]) as f64;
    let data = values.iter().map(|value| (value - values[0]) as f64 / scale).collect();
    let localities = locality::neighbours(values).into_iter().step_by(keep).collect();
    Block { data, localities, order, low: -0.3, high: 1.2 }
}

fn only(block: Block) -> Region {
    Region { blocks: vec![block], ..Region::default() }
}

/// Equations solved for some unknowns: each with the factors of the others, and what is added.
fn solved(region: &Region) -> Vec<(usize, Vec<f64>, f64)> {
    let mut solved: Vec<(usize, Vec<f64>, f64)> = Vec::new();
    for equation in &region.equations {
        let mut line = vec![0.0; region.size()];
        let mut rest = equation.bound;
        equation.terms.iter().for_each(|&(unknown, factor)| line[unknown as usize] += factor);
        for (pivot, factors, constant) in &solved {
            let factor = std::mem::take(&mut line[*pivot]);
            rest -= factor * constant;
            line.iter_mut().zip(factors).for_each(|(sum, own)| *sum += factor * own);
        }
        let Some(pivot) = (0..line.len()).rev().find(|place| line[*place].abs() > 1e-9) else { continue };
        let divisor = std::mem::take(&mut line[pivot]);
        let factors: Vec<f64> = line.iter().map(|factor| -factor / divisor).collect();
        let constant = rest / divisor;
        for (_, others, sum) in &mut solved {
            let factor = std::mem::take(&mut others[pivot]);
            *sum += factor * constant;
            others.iter_mut().zip(&factors).for_each(|(other, own)| *other += factor * own);
        }
        solved.push((pivot, factors, constant));
    }
    solved
}

/// A point of the region: free unknowns from the box; the others follow from the equations.
fn rejected(region: &Region, stream: &mut Stream) -> Vec<f64> {
    let bounds: Vec<(f64, f64)> =
        region.blocks.iter().flat_map(|block| block.data.iter().map(|_| (block.low, block.high))).collect();
    let solved = solved(region);
    loop {
        let mut point: Vec<f64> = bounds.iter().map(|(low, high)| low + (high - low) * stream.unit()).collect();
        for (pivot, ..) in &solved {
            point[*pivot] = 0.0;
        }
        let follow = |(pivot, factors, constant): &(usize, Vec<f64>, f64)| {
            (*pivot, constant + factors.iter().zip(&point).map(|(factor, value)| factor * value).sum::<f64>())
        };
        let followers: Vec<(usize, f64)> = solved.iter().map(follow).collect();
        for (pivot, value) in followers {
            point[pivot] = value;
        }
        if region.slack(&point) > -1e-9 {
            return point;
        }
    }
}

fn walked(region: &Region, member: &SamplerMember, thinning: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut stream = Seed::from(seed).stream(1);
    let mut chain = (member.start)(region);
    let point = |_| {
        (0..thinning).for_each(|_| chain.sweep(&mut stream));
        let point = chain.point().to_vec();
        assert!(region.slack(&point) > -1e-9, "{} left the region", member.card.name);
        point
    };
    (0..POINTS).map(point).collect()
}

/// The two-sample statistic of Kolmogorov and Smirnov, scaled to Kolmogorov's law.
fn kolmogorov(one: &[f64], other: &[f64]) -> f64 {
    distance(one, other) * ((one.len() * other.len()) as f64 / (one.len() + other.len()) as f64).sqrt()
}

/// Chi-square of two samples over a grid whose lines are quantiles of the first, as a share of its limit.
fn chi_square(one: &[Vec<f64>], other: &[Vec<f64>], x: usize, y: usize) -> f64 {
    let lines = |axis: usize| {
        let mut values: Vec<f64> = one.iter().map(|point| point[axis]).collect();
        values.sort_unstable_by(f64::total_cmp);
        (1..CELLS).map(|line| values[line * values.len() / CELLS]).collect::<Vec<_>>()
    };
    let (columns, rows) = (lines(x), lines(y));
    let count = |points: &[Vec<f64>]| {
        let mut counts = [0.0; CELLS * CELLS];
        for point in points {
            let column = columns.partition_point(|line| *line <= point[x]);
            let row = rows.partition_point(|line| *line <= point[y]);
            counts[row * CELLS + column] += 1.0;
        }
        counts
    };
    let (counts, others) = (count(one), count(other));
    // Cells that hardly anybody visits say nothing.
    let cells: Vec<(f64, f64)> = counts.into_iter().zip(others).filter(|(one, other)| one + other >= 20.0).collect();
    let statistic: f64 = cells.iter().map(|(one, other)| (one - other).powi(2) / (one + other)).sum();
    statistic / chi_square_limit((cells.len() - 1) as f64)
}

/// The worst statistic, as a share of its limit.
fn worst(region: &Region, expected: &[Vec<f64>], found: &[Vec<f64>]) -> f64 {
    let size = region.size();
    let of = |points: &[Vec<f64>], measure: &dyn Fn(&[f64]) -> f64| points.iter().map(|point| measure(point)).collect();
    let compare = |measure: &dyn Fn(&[f64]) -> f64| {
        let (one, other): (Vec<f64>, Vec<f64>) = (of(expected, measure), of(found, measure));
        kolmogorov(&one, &other) / KOLMOGOROV
    };
    let faces = Region { equations: Vec::new(), ..region.clone() };
    let mut worst = compare(&|point| faces.slack(point));
    // Weights that no kept sum has.
    let weighted = |point: &[f64]| point.iter().zip([3.0, 1.0, 7.0, 2.0, 9.0, 4.0, 8.0, 5.0]).map(|(x, w)| x * w).sum();
    worst = worst.max(compare(&weighted));
    let extremes = |point: &[f64]| {
        point.iter().fold(f64::NEG_INFINITY, |most, value| most.max(*value))
            - point.iter().fold(f64::INFINITY, |least, value| least.min(*value))
    };
    worst = worst.max(compare(&extremes));
    for axis in 0..size {
        worst = worst.max(compare(&|point| point[axis]));
    }
    for axis in 1..size {
        worst = worst.max(chi_square(expected, found, axis - 1, axis));
    }
    worst
}

/// Compares every sampler that promises it with rejection sampling; the published walk must fail.
fn check(name: &str, region: &Region) {
    let mut stream = Seed::from(77).stream(2);
    let expected: Vec<Vec<f64>> = (0..POINTS).map(|_| rejected(region, &mut stream)).collect();
    for member in ALL {
        // The mixing walk needs no more than a few sweeps; the others get what they need in few dimensions.
        let thinning = match member.card.name {
            "mixing" => 8,
            "paper" => 60,
            _ => 40,
        };
        let found = walked(region, member, thinning, 5);
        let worst = worst(region, &expected, &found);
        if member.is_uniform() {
            assert!(worst < 1.0, "{name}: {} is off, {worst:.2} of the limit", member.card.name);
        } else {
            assert!(worst > 1.5, "{name}: the one-sided walk passes, {worst:.2} of the limit");
        }
    }
}

#[test]
fn two_values() {
    check("ordered", &only(block(&[0, 10], 1, true)));
    check("free", &only(block(&[0, 10], 1, false)));
}

#[test]
fn three_values() {
    check("ordered", &only(block(&[0, 4, 10], 1, true)));
    check("free", &only(block(&[0, 7, 10], 1, false)));
}

#[test]
fn four_values() {
    check("ordered", &only(block(&[0, 4, 7, 10], 1, true)));
    check("half of the localities", &only(block(&[0, 4, 7, 10], 2, false)));
}

#[test]
fn five_values() {
    check("ordered", &only(block(&[0, 3, 5, 9, 10], 1, true)));
    check("a third of the localities", &only(block(&[0, 3, 5, 9, 10], 3, true)));
}

#[test]
fn properties_and_equations() {
    let bounded = LinearRelation { terms: vec![(0, 1.0), (2, 0.5)], bound: 0.55 };
    let region = Region { relations: vec![bounded], ..only(block(&[0, 4, 10], 1, true)) };
    check("a sum is bounded", &region);

    let data = [0.0, 0.4, 1.0, 0.0, 0.7, 1.0];
    let kept = LinearRelation { terms: vec![(1, 1.0), (4, -1.0)], bound: 0.0 };
    let blocks = vec![block(&[0, 4, 10], 1, true), block(&[0, 7, 10], 1, false)];
    let region = Region { blocks, relations: vec![kept], equations: Vec::new() };
    assert_eq!(region.start(), data);
    check("two segments are tied", &region);

    let sum = LinearRelation { terms: vec![(0, 1.0), (1, 1.0), (3, 1.0)], bound: 1.4 };
    let region = Region { equations: vec![sum], ..only(block(&[0, 4, 7, 10], 2, true)) };
    check("a sum stays", &region);
}

/// A sum that stays what it is in the data.
fn kept(region: &Region, terms: &[(u32, f64)]) -> LinearRelation {
    let sum = LinearRelation { terms: terms.to_vec(), bound: 0.0 };
    LinearRelation { bound: -sum.slack(&region.start()), ..sum }
}

fn with_sums(blocks: Vec<Block>, sums: &[&[(u32, f64)]]) -> Region {
    let region = Region { blocks, ..Region::default() };
    Region { equations: sums.iter().map(|terms| kept(&region, terms)).collect(), ..region }
}

#[test]
fn totals_of_a_segment() {
    let one = || vec![block(&[0, 4, 7, 10], 1, true)];
    check("a total", &with_sums(one(), &[&[(0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)]]));
    check("two groups", &with_sums(one(), &[&[(0, 1.0), (2, 1.0)], &[(1, 1.0), (3, 2.0)]]));
}

#[test]
fn totals_over_segments() {
    let two = || vec![block(&[0, 4, 10], 1, true), block(&[0, 7, 10], 1, true)];
    let all: Vec<(u32, f64)> = (0..6).map(|unknown| (unknown, if unknown < 3 { 1.0 } else { 0.6 })).collect();
    check("two segments", &with_sums(two(), &[&all]));
    let three = || vec![block(&[0, 10], 1, true), block(&[0, 4, 10], 1, false), block(&[0, 10], 1, true)];
    let all: Vec<(u32, f64)> = (0..7).map(|unknown| (unknown, 1.0)).collect();
    check("three segments", &with_sums(three(), &[&all]));
    check(
        "one equation of a segment alone",
        &with_sums(two(), &[&[(0, 1.0), (1, 1.0), (2, 1.0)], &[(1, 1.0), (4, 1.0)]]),
    );
}

#[test]
fn totals_of_groups_over_segments() {
    let three = || vec![block(&[0, 4, 10], 1, true), block(&[0, 10], 1, true), block(&[0, 7, 10], 1, true)];
    // A value of the first segment stands in both groups; the last sum follows from the others.
    let one: &[(u32, f64)] = &[(0, 1.0), (1, 1.0), (3, 1.0), (6, 1.0)];
    let two: &[(u32, f64)] = &[(1, 2.0), (2, 1.0), (4, 1.0), (5, 1.0), (7, 1.0)];
    let all: Vec<(u32, f64)> = one.iter().chain(two).copied().collect();
    let mut sums = [0.0; 8];
    for &(unknown, factor) in &all {
        sums[unknown as usize] += factor;
    }
    let all: Vec<(u32, f64)> = (0..).zip(sums).collect();
    check("two groups and all", &with_sums(three(), &[one, two, &all]));
}

#[test]
fn margins_of_a_table() {
    let columns = || vec![block(&[0, 4, 10], 9, false), block(&[0, 7, 10], 9, false)];
    let margins: [&[(u32, f64)]; 5] = [
        &[(0, 1.0), (3, 0.5)],
        &[(1, 1.0), (4, 0.5)],
        &[(2, 1.0), (5, 0.5)],
        &[(0, 1.0), (1, 1.0), (2, 1.0)],
        &[(3, 1.0), (4, 1.0), (5, 1.0)],
    ];
    check("three records of two columns", &with_sums(columns(), &margins));
}

#[test]
fn a_segment_with_a_total_of_its_own_among_others() {
    let three = vec![block(&[0, 4, 10], 1, true), block(&[0, 10], 1, true), block(&[0, 7, 10], 9, true)];
    let own: &[(u32, f64)] = &[(0, 1.0), (1, 1.0)];
    let all: Vec<(u32, f64)> = (0..8).map(|unknown| (unknown, 1.0)).collect();
    check("an own total", &with_sums(three, &[own, &all]));
}
