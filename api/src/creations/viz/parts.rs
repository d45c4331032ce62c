//! Words and pieces that the options of several types share.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Options of one type: every field may be left out; what is not named here is read into `more`.
macro_rules! options {
    ($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $field:ident: $type:ty),* $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase", default)]
        pub struct $name {
            $(
                $(#[$note])*
                #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "crate::http::strict::within")]
                pub $field: Option<$type>,
            )*
            /// What the web keeps beside.
            #[serde(flatten)]
            pub more: BTreeMap<String, Value>,
        }
    };
}

/// A choice of words.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $word:ident),* $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub enum $name {
            $($(#[$note])* $word,)*
        }
    };
}

pub(super) use {options, words};

words! {
    /// How numbers are written.
    NumberFormat { Grouped, Plain, Compact, Percent, Wei, Gwei, Eth }
}

words! {
    /// What to do when several rows fall on one place.
    Combine { Refuse, Sum, Min, Max }
}

words! {
    /// How a missing value or period looks.
    Missing { Gap, Zero, Connect }
}

words! {
    /// How series share an axis.
    Stack { None, Stack, Percent }
}

words! {
    /// The order of named values.
    SortOrder { Falling, Rising, Name, None }
}

/// How a column of a table is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableColumn {
    pub name: String,
    /// Shown in place of the name; empty shows the name.
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub hidden: bool,
    #[serde(default = "grouped")]
    pub format: NumberFormat,
}

/// A series, slice or kind that looks otherwise than by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeriesLook {
    pub name: String,
    /// Shown in place of the name; empty shows the name.
    #[serde(default)]
    pub title: String,
    /// Place in the palette from 1; 0 takes the colour by order.
    #[serde(default)]
    pub colour: i64,
    /// Measured on the axis at the right.
    #[serde(default)]
    pub right: bool,
}

/// A line at a value of the value axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReferenceLine {
    /// Decimal text, in the unit of the axis.
    pub value: String,
    #[serde(default)]
    pub label: String,
}

fn grouped() -> NumberFormat {
    NumberFormat::Grouped
}
