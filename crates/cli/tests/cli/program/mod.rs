//! The program as its users meet it: each test runs the real binary in a folder of its own.

mod against;
mod alternatives;
mod attack;
mod balance;
mod cards;
mod compare;
mod demo;
mod draft;
mod drawn;
mod frontier;
mod hierarchy;
mod manners;
mod models;
mod people;
mod population;
mod release;
mod risk;
mod sql;
pub mod stage;
mod store;
mod treatments;
mod usage;
