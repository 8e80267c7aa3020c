//! The decisions of equanym: pure algorithms on counts.
//!
//! The way of the data: the engine counts a table's distinct keys into a [`frequency::Table`], in which each
//! quasi-identifier ([`variable`]) has a ladder of generalisations ([`hierarchy`]). Every choice of levels is a node of a
//! [`lattice`]. The [`privacy`] models say which classes of a node may be released, a [`loss`] says what the release would
//! withhold, and a [`search`] finds the safe node that withholds least, or the one that suits users and intruders best by the
//! price theory of [`balance`]. A [`method`] turns the node into a [`mask`], which the engine applies; [`risk`] and [`report`]
//! say what came of it, and [`utility`] what it is still good for.
//!
//! Other methods divide the keys into classes of their own, or give numeric columns new values ([`walk`]) from draws whose
//! seed is handed in ([`random`]).
//!
//! Before all that, single cells may be changed by a [`treatment`].
//!
//! Nothing here reads, writes, waits, looks at a clock or draws lots by itself. Counts are whole numbers, losses are whole
//! numbers of fixed units, and every tie is broken, so the same table gives the same answer everywhere.
//!
//! ```
//! use equanym_core::frequency::Table;
//! use equanym_core::hierarchy::Builder;
//! use equanym_core::privacy::{self, Guard};
//! use equanym_core::search::{self, Problem};
//! use equanym_core::{card, loss, variable::Variable};
//!
//! // Four people; level 1 joins ages in bands of ten.
//! let ages = ["31", "34", "45", "46"].map(String::from);
//! let hierarchy = Builder::intervals(vec!["10".into()]).fit(&ages)?;
//! let age = Variable { name: "age".into(), hierarchy, min_level: 0, max_level: 2, weight: 1.0 };
//! let table = Table::new(vec![age], &[vec![0, 1, 2, 3]], vec![1; 4], vec![])?;
//!
//! let pairs = card::Parameters::from([("k".to_owned(), card::Value::Integer(2))]);
//! let guard = Guard::new(vec![privacy::build("k-anonymity", &pairs, &[])?]);
//! let entropy = loss::find(loss::DEFAULT).ok_or("no such loss")?;
//! let prepared = entropy.build(&table, &card::Parameters::new())?;
//! let problem = Problem::new(&table, &guard, prepared.as_ref(), 0);
//! let best = (search::find(search::DEFAULT).ok_or("no such search")?.run)(&problem)?.best;
//! assert_eq!(best.node.0[..], [1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod attack;
pub mod balance;
pub mod card;
mod cheapest;
pub mod checklist;
pub mod contents;
pub mod entropy;
pub mod frequency;
pub mod hierarchy;
pub mod lattice;
pub mod loss;
#[cfg(test)]
mod made_up;
pub mod mask;
pub mod method;
pub mod minimality;
pub mod options;
mod population;
pub mod privacy;
mod projections;
pub mod random;
pub mod report;
pub mod risk;
mod role;
pub mod search;
mod statistics;
pub mod stop;
pub mod treatment;
pub mod utility;
pub mod variable;
pub mod walk;
