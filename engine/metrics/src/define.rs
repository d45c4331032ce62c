//! What a metric is: its names, its meaning for people, and how its value follows from the figures of a period.

use super::number;
use super::period::{Period, Standing};
use super::resolution::Resolution;
use quarry_lake::KnownContracts;
use quarry_sql::views::fill_contracts;

/// A text in both languages.
#[derive(Debug, Clone, Copy)]
pub struct Both {
    pub en: &'static str,
    pub zh: &'static str,
}

/// The top level of the metrics' names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    Address,
    Blockchain,
    Fees,
    Market,
    Mining,
    Protocols,
    Supply,
    Tokens,
    Transactions,
}

impl Category {
    pub fn name(self) -> &'static str {
        match self {
            Category::Address => "address",
            Category::Blockchain => "blockchain",
            Category::Fees => "fees",
            Category::Market => "market",
            Category::Mining => "mining",
            Category::Protocols => "protocols",
            Category::Supply => "supply",
            Category::Tokens => "tokens",
            Category::Transactions => "transactions",
        }
    }
}

/// How a value belongs to its period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Adds up what happened in it; 0 when nothing did.
    Sum,
    /// Counts each thing once in it; the counts of days do not add up to that of their week.
    Distinct,
    /// A mean or median over it; null when there is nothing to take it of.
    Mean,
    /// How things stand at its end; an open period ends at the head.
    State,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Sum => "sum",
            Kind::Distinct => "distinct",
            Kind::Mean => "mean",
            Kind::State => "state",
        }
    }
}

/// How values travel in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A number that a JavaScript number holds exactly: at most 15 digits. One with more, should it ever come, is a text.
    Number,
    /// Always a decimal text.
    Text,
}

/// One metric.
#[derive(Debug)]
pub struct Metric {
    pub category: Category,
    pub name: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    pub title: Both,
    pub definition: Both,
    /// In the terms of the tables' columns.
    pub formula: &'static str,
    /// Unit of the value.
    pub unit: &'static str,
    pub kind: Kind,
    /// Digits after the point that a value has at most.
    pub scale: u32,
    pub form: Form,
    /// Tables it follows from.
    pub sources: &'static [&'static str],
    /// Whether the contracts of the chain that it starts from are known. Without them it has no values, or only zeros.
    pub needs: fn(&KnownContracts) -> bool,
    /// The same by a query over the chain's tables: columns `t` and `v`, one row per period in which something counted.
    /// `{unit}` stands for the period.
    pub(super) sql: &'static str,
    /// The value in units of `10^-scale`.
    pub(super) value: fn(&Period, &Standing) -> Option<i128>,
}

impl Metric {
    /// `category/name`.
    pub fn path(&self) -> String {
        format!("{}/{}", self.category.name(), self.name)
    }

    /// A query that gives the same values from the tables of a chain with these contracts.
    pub fn query(&self, resolution: Resolution, contracts: &KnownContracts) -> String {
        fill_contracts(self.sql, contracts).replace("{unit}", resolution.unit())
    }

    /// A value as a plain decimal text.
    pub fn text(&self, value: i128) -> String {
        number::decimal(value, self.scale)
    }

    /// A value as it stands in JSON: a number, or a text in quotes.
    pub fn json(&self, value: i128) -> String {
        let text = self.text(value);
        match self.form {
            Form::Number if number::fits_javascript(&text) => text,
            _ => format!("\"{text}\""),
        }
    }
}
