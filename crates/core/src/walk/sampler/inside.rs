//! No step of any sampler leaves the region: random regions, millions of steps, the bare point after each of them.
//!
//! What is looked at is the point before any refreshing or pulling back, so that drift would show.

use proptest::prelude::*;

use super::coordinate::UnknownMoves;
use super::mixing;
use super::paper::{SphereWalk, StepReach};
use crate::random::{Seed, Stream};
use crate::walk::locality;
use crate::walk::region::{Block, LinearRelation, Region};

/// Rounding that is let pass, where a segment reaches from 0 to 1.
const ROUNDING: f64 = 1e-10;

fn block(values: &[i128], keep: usize, order: bool) -> Block {
    let (first, last) = (values[0], values[values.len() - 1]);
    let data = values.iter().map(|value| (value - first) as f64 / (last - first) as f64).collect();
    let localities = locality::neighbours(values).into_iter().step_by(keep).collect();
    // The data touch the lower end of the domain.
    Block { data, localities, order, low: 0.0, high: 1.3 }
}

/// A region of one or two segments, with a property and an equation for some.
fn regions() -> impl Strategy<Value = Region> {
    let values = || proptest::collection::btree_set(0_i128..500, 2..14);
    (values(), values(), 1_usize..6, any::<bool>(), 0_u8..4).prop_map(|(one, two, keep, order, kind)| {
        let values = |set: std::collections::BTreeSet<i128>| set.into_iter().collect::<Vec<_>>();
        let mut region = Region { blocks: vec![block(&values(one), keep, order)], ..Region::default() };
        if kind > 0 {
            region.blocks.push(block(&values(two), keep, true));
        }
        let last = u32::try_from(region.size() - 1).unwrap();
        let relation = |terms: Vec<(u32, f64)>, region: &Region, room: f64| {
            let bound = -LinearRelation { terms: terms.clone(), bound: 0.0 }.slack(&region.start()) + room;
            LinearRelation { terms, bound }
        };
        if kind > 1 {
            let bounded = relation(vec![(0, 1.0), (last, -0.5)], &region, 0.1);
            region.relations.push(bounded);
        }
        if kind > 2 {
            let kept = relation((0..=last).map(|unknown| (unknown, 1.0)).collect(), &region, 0.0);
            region.equations.push(kept);
        }
        region
    })
}

fn along_the_sphere(region: &Region, reach: StepReach, stream: &mut Stream) -> f64 {
    let mut chain = SphereWalk::new(region, reach, 1);
    (0..3000).map(|_| region.slack(chain.step_bare(stream))).fold(f64::INFINITY, f64::min)
}

fn one_at_a_time(region: &Region, mirrored: u64, stream: &mut Stream) -> f64 {
    let mut single = UnknownMoves::new(region);
    let free = single.slacks.space.free.len();
    let mut least = f64::INFINITY;
    for _ in 0..3000 {
        single.step(stream.below(free), mirrored, stream);
        least = least.min(region.slack(&single.slacks.point));
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_step_leaves_the_region(region in regions(), seed in any::<u64>()) {
        let stream = &mut Seed::from(seed).stream(0);
        prop_assert!(along_the_sphere(&region, StepReach::Ahead, stream) > -ROUNDING);
        prop_assert!(along_the_sphere(&region, StepReach::Both, stream) > -ROUNDING);
        prop_assert!(one_at_a_time(&region, 0, stream) > -ROUNDING);
        prop_assert!(one_at_a_time(&region, 128, stream) > -ROUNDING);
        if region.equations.is_empty() {
            prop_assert!(mixing::every_mode_inside(&region, 300, stream) > -ROUNDING);
        } else {
            prop_assert!(mixing::every_circle_inside(&region, 300, stream) > -ROUNDING);
            let free = Region { relations: Vec::new(), ..region.clone() };
            prop_assert!(mixing::every_visit_inside(&free, 300, stream).is_none_or(|least| least > -ROUNDING));
        }
        if let Some((least, steps)) = mixing::every_step_inside(&region.blocks[0], 1000, stream) {
            prop_assert!(least > -ROUNDING && steps >= 2000);
        }
    }
}
