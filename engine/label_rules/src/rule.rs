//! What a rule is: texts for people, the inputs and parameters it takes, and the queries that find its labels.

/// A text in both languages.
#[derive(Debug, Clone, Copy)]
pub struct Both {
    pub en: &'static str,
    pub zh: &'static str,
}

/// The four shelves of the catalogue.
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
    /// With up to 18 digits behind the point.
    Fraction,
    /// ETH with up to 18 digits behind the point; the queries get wei.
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

/// A number of a rule that a user may change within bounds. Numbers are decimal texts.
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

/// A query whose rows the queries after it may name as `<name>`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub name: &'static str,
    pub query: &'static str,
}

/// How labels come of the last query.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rows {
    /// Its rows are labels: `address`, `label`, `label_type`, `value`, perhaps `entity`; all other columns are the facts.
    Labels(&'static str),
    /// Its rows are pairs of addresses `a`, `b`. All `a` that meet over some `b` are one group; those of two or more get
    /// the label, with their number as the value and the smallest address as the entity.
    Groups { label: &'static str, label_type: &'static str, pairs: &'static str },
}

/// One rule of the catalogue. The queries see `{{from}}` and `{{to}}`, the period from its first moment to before its last,
/// and `{{contract}}`, `{{eoa}}`, `{{dapp}}`, `{{nft}}` and the parameters where they are given.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Short name: `A1`.
    pub id: &'static str,
    /// The name that jobs and the command line use: `exchange-deposit`.
    pub name: &'static str,
    pub category: Category,
    /// Grows with every change of what the rule finds.
    pub version: i32,
    pub title: Both,
    /// What makes an address have the label.
    pub text: Both,
    /// What the value of a label counts.
    pub value: Both,
    /// All labels that it may give.
    pub labels: &'static [&'static str],
    pub inputs: &'static [Input],
    pub parameters: &'static [Parameter],
    /// Where the rule comes from.
    pub source: &'static str,
    pub(crate) steps: &'static [Step],
    pub(crate) rows: Rows,
}

impl Rule {
    pub(crate) fn takes(&self, field: Field) -> bool {
        self.inputs.iter().any(|input| input.field == field)
    }
}
