//! The definition of a rule: texts, inputs, parameters, and the queries that find its labels.

/// A text in both languages.
#[derive(Debug, Clone, Copy)]
pub struct Both {
    pub en: &'static str,
    pub zh: &'static str,
}

/// Categories of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    Basic,
    MonthlyReport,
    DappMonthlyReport,
    Algorithm,
}

impl Category {
    pub const ALL: [Category; 4] =
        [Category::Basic, Category::MonthlyReport, Category::DappMonthlyReport, Category::Algorithm];

    pub fn name(self) -> &'static str {
        match self {
            Category::Basic => "basic",
            Category::MonthlyReport => "monthly-report",
            Category::DappMonthlyReport => "dapp-monthly-report",
            Category::Algorithm => "algorithm",
        }
    }

    pub fn title(self) -> Both {
        match self {
            Category::Basic => Both { en: "Basic", zh: "基础标签" },
            Category::MonthlyReport => Both { en: "Monthly report", zh: "月报" },
            Category::DappMonthlyReport => Both { en: "DApp monthly report", zh: "DApp 月报" },
            Category::Algorithm => Both { en: "Algorithm library", zh: "算法库" },
        }
    }
}

/// A field of the form of a label job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Eoa,
    StartDate,
    EndDate,
    ContractAddress,
    DappName,
    Erc721,
    Month,
}

impl Field {
    pub const ALL: [Field; 7] = [
        Field::Eoa,
        Field::StartDate,
        Field::EndDate,
        Field::ContractAddress,
        Field::DappName,
        Field::Erc721,
        Field::Month,
    ];

    /// The name in the spec of a job.
    pub fn name(self) -> &'static str {
        match self {
            Field::Eoa => "eoa",
            Field::StartDate => "startDate",
            Field::EndDate => "endDate",
            Field::ContractAddress => "contractAddress",
            Field::DappName => "dappName",
            Field::Erc721 => "erc721",
            Field::Month => "month",
        }
    }
}

/// A field that a rule takes.
#[derive(Debug, Clone, Copy)]
pub struct Input {
    pub field: Field,
    pub required: bool,
}

/// What a parameter's value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    Whole,
    /// With up to 18 digits after the point.
    Fraction,
    /// ETH with up to 18 digits after the point; the queries get wei.
    Ether,
}

impl ParameterKind {
    pub fn name(self) -> &'static str {
        match self {
            ParameterKind::Whole => "whole",
            ParameterKind::Fraction => "fraction",
            ParameterKind::Ether => "ether",
        }
    }
}

/// A number that users may change within bounds.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: ParameterKind,
    pub default: Number,
    pub min: Number,
    pub max: Number,
    pub text: Both,
}

/// A bound of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    Whole(u64),
    Text(&'static str),
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::Whole(number) => write!(f, "{number}"),
            Number::Text(text) => f.write_str(text),
        }
    }
}

/// An intermediate query; later queries refer to its rows as `<name>`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub name: &'static str,
    pub query: &'static str,
}

/// How the rows of the last query become labels.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rows {
    /// Each row is a label: `address`, `label`, `label_type`, `value`, optionally `entity`; other columns are facts.
    Labels(&'static str),
    /// Each row is a pair of addresses `a`, `b`. All `a` connected through common `b` are a group. Groups of two or more get the
    /// label, with their size as the value and their smallest address as the entity.
    Groups { label: &'static str, label_type: &'static str, pairs: &'static str },
}

/// A rule. Its queries have the parameters `{{from}}` (inclusive) and `{{to}}` (exclusive) of the period, `{{contract}}`, `{{eoa}}`,
/// `{{dapp}}` and `{{nft}}` if given, and those of the rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Short name: `A1`.
    pub id: &'static str,
    /// The name in jobs and on the command line: `exchange-deposit`.
    pub name: &'static str,
    pub category: Category,
    /// Increases with every change of the results.
    pub version: i32,
    pub title: Both,
    /// When an address has the label.
    pub text: Both,
    /// Meaning of the value of a label.
    pub value: Both,
    /// All labels that it may give.
    pub labels: &'static [&'static str],
    pub inputs: &'static [Input],
    pub parameters: &'static [Parameter],
    /// Source of the rule.
    pub source: &'static str,
    pub(crate) steps: &'static [Step],
    pub(crate) rows: Rows,
}

impl Rule {
    pub(crate) fn takes(&self, field: Field) -> bool {
        self.inputs.iter().any(|input| input.field == field)
    }
}
