//! The definition of a metric: names, texts, and how its value is computed from the figures of a period.

use super::number;
use super::period::{ChainState, Period};
use super::resolution::Resolution;
use quarry_lake::KnownContracts;
use quarry_sql::views::fill_contracts;

/// A text in both languages.
#[derive(Debug, Clone, Copy)]
pub struct Both {
    pub en: &'static str,
    pub zh: &'static str,
}

/// The first part of the path of a metric.
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

/// How a value relates to its period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A sum of events; 0 without any.
    Sum,
    /// A distinct count; the counts of days do not add up to that of a week.
    Distinct,
    /// A mean or median; null without values.
    Mean,
    /// A state at its end; an open period ends at the head.
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

/// How values are encoded in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A number of at most 15 digits, which JavaScript represents exactly; larger ones are text.
    Number,
    /// Always decimal text.
    Text,
}

/// One metric.
#[derive(Debug)]
pub struct Metric {
    pub category: Category,
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    pub title: Both,
    pub definition: Both,
    /// In the terms of the tables' columns.
    pub formula: &'static str,
    /// Unit of the value.
    pub unit: &'static str,
    pub kind: Kind,
    /// Maximum digits after the point.
    pub scale: u32,
    pub form: Form,
    /// Tables that it is computed from.
    pub sources: &'static [&'static str],
    /// Whether the contracts that it needs are known. Without them it has no values, or only zeros.
    pub needs: fn(&KnownContracts) -> bool,
    /// An equivalent query over the tables of the chain: columns `t` and `v`, one row for each period with a value. `{unit}` is
    /// replaced by the unit of the period.
    pub(super) sql: &'static str,
    /// The value in units of `10^-scale`.
    pub(super) value: fn(&Period, &ChainState) -> Option<i128>,
}

impl Metric {
    /// The fields that most metrics share. Names, texts and formulas are always replaced.
    pub(super) const BASE: Metric = Metric {
        category: Category::Transactions,
        name: "",
        aliases: &[],
        title: Both { en: "", zh: "" },
        definition: Both { en: "", zh: "" },
        formula: "",
        unit: "",
        kind: Kind::Sum,
        scale: 0,
        form: Form::Number,
        sources: &["transactions"],
        needs: |_| true,
        sql: "",
        value: |_, _| None,
    };

    /// `category/name`.
    pub fn path(&self) -> String {
        format!("{}/{}", self.category.name(), self.name)
    }

    /// The equivalent query for a chain with these contracts.
    pub fn query(&self, resolution: Resolution, contracts: &KnownContracts) -> String {
        fill_contracts(self.sql, contracts).replace("{unit}", resolution.unit())
    }

    /// A value as decimal text.
    pub fn text(&self, value: i128) -> String {
        number::decimal(value, self.scale)
    }

    /// A value as JSON: a number, or text in quotes.
    pub fn json(&self, value: i128) -> String {
        let text = self.text(value);
        match self.form {
            Form::Number if number::fits_javascript(&text) => text,
            _ => format!("\"{text}\""),
        }
    }
}
