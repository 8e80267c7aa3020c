//! What searches do where they may not prune and are told to stop, or would have to list too much.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use equanym_core::loss;
use equanym_core::privacy::Guard;
use equanym_core::random::Seed;
use equanym_core::search::{self, Problem};
use equanym_core::stop::Stop;
use equanym_core::walk::{ColumnScale, NumberWriting, Sweeps, WalkColumn, WalkSettings, WalkTask};

use crate::questions::{measure, run};
use crate::tables::{ladder, table, variable};

#[test]
fn a_search_of_every_node_stops_when_told() {
    // Labels that meet at level 1 part again at level 2.
    let crossed = ladder("a;x;p;*\nb;x;q;*\nc;y;p;*\nd;y;q;*\n");
    let table = table(vec![variable("v", 1.0, crossed)], &[vec![0], vec![1], vec![2], vec![3]], Some(&[0; 4]));
    assert!(table.first_unnested().is_some());
    let (guard, measure) = (Guard::new(Vec::new()), measure(&table, loss::DEFAULT));
    let problem = |stop| Problem { stop, ..Problem::new(&table, &guard, measure.as_ref(), 0) };
    assert_eq!(run(search::DEFAULT, &problem(None)).unwrap().evaluated, 4);
    let found = run(search::DEFAULT, &problem(Some(Stop::after_work(&|| true)))).unwrap();
    assert_eq!((found.evaluated, found.bound), (1, 0));
    // One that does not promise it looks at every node all the same.
    assert_eq!(run("exhaustive", &problem(Some(Stop::after_work(&|| true)))).unwrap().evaluated, 4);
}

#[test]
fn a_walk_can_be_stopped_after_each_sweep() {
    let values: Vec<Option<i128>> = (0..60).map(|place| Some(place * place)).collect();
    let column = WalkColumn {
        name: "x".into(),
        values,
        places: 0,
        scale: ColumnScale::Numbers,
        writing: NumberWriting::default(),
        bounds: None,
        interval: None,
    };
    // More sweeps than anybody waits for, of a single segment.
    let settings = WalkSettings { sweeps: Sweeps::Fixed(u32::MAX), ..WalkSettings::default() };
    let heard = AtomicU64::new(0);
    let progress = |_| {
        if heard.fetch_add(1, Ordering::Relaxed) == 9 {
            resume_unwind(Box::new("enough"));
        }
    };
    let (columns, properties, seed) = (&[column], &[], Seed::from(1));
    let task = WalkTask { columns, properties, settings: &settings, seed, progress: &progress };
    let ended = catch_unwind(AssertUnwindSafe(|| task.walk()));
    assert_eq!(ended.unwrap_err().downcast_ref(), Some(&"enough"));
    assert_eq!(heard.into_inner(), 10);
}
