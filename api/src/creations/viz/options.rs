//! Options of the types over axes, of tables and of single numbers. A column is named as in the result.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::parts::{
    Combine, Missing, NumberFormat, ReferenceLine, SeriesLook, SortOrder, Stack, TableColumn, options, words,
};

words! {
    /// What a rise means.
    Good { None, Up, Down }
}

words! {
    /// Where a line steps.
    Step { None, Start, Middle, End }
}

words! {
    /// Cells of a grid, or one time column as days of the year.
    HeatmapLayout { Grid, Calendar }
}

words! {
    /// Colours of values.
    Palette { Sequential, Diverging }
}

words! {
    /// Light on bars.
    Shading { Lambert, Color, Realistic }
}

words! {
    /// Five numbers found in the rows, or taken from columns.
    BoxplotLayout { Raw, Five }
}

words! {
    /// How far whiskers reach.
    Whiskers { Iqr, MinMax }
}

options! {
    /// The result as a table.
    TableOptions {
        columns: Vec<TableColumn>,
    }
}

options! {
    /// One number of the result.
    CounterOptions {
        /// Empty counts the rows of the whole result.
        column: String,
        /// Row of the value, counted from 1.
        row: i64,
        label: String,
        prefix: String,
        suffix: String,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        format: NumberFormat,
        /// Row the change is counted from; 0 shows none.
        compare_row: i64,
        /// What a rise means to the reader.
        good: Good,
        /// A small line of the column's values.
        spark: bool,
    }
}

options! {
    /// A bar per x and series.
    BarOptions {
        x: String,
        y: Vec<String>,
        /// Column whose values are the series.
        group: String,
        combine: Combine,
        missing: Missing,
        /// Most series; the rest becomes one.
        limit: i64,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        legend: bool,
        labels: bool,
        /// Logarithmic value axis.
        log: bool,
        /// Title of the value axis.
        axis_title: String,
        series: Vec<SeriesLook>,
        reference_lines: Vec<ReferenceLine>,
        stack: Stack,
        horizontal: bool,
        sort: SortOrder,
        /// Most categories; the rest becomes one. 0 keeps all, -1 as many as can be told apart.
        top: i64,
    }
}

options! {
    /// A line per series over an ordered x.
    LineOptions {
        x: String,
        y: Vec<String>,
        /// Column whose values are the series.
        group: String,
        combine: Combine,
        missing: Missing,
        /// Most series; the rest becomes one.
        limit: i64,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        legend: bool,
        labels: bool,
        /// Logarithmic value axis.
        log: bool,
        /// Title of the value axis.
        axis_title: String,
        series: Vec<SeriesLook>,
        reference_lines: Vec<ReferenceLine>,
        points: bool,
        smooth: bool,
        step: Step,
    }
}

options! {
    /// A filled line per series over an ordered x.
    AreaOptions {
        x: String,
        y: Vec<String>,
        /// Column whose values are the series.
        group: String,
        combine: Combine,
        missing: Missing,
        /// Most series; the rest becomes one.
        limit: i64,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        legend: bool,
        labels: bool,
        /// Logarithmic value axis.
        log: bool,
        /// Title of the value axis.
        axis_title: String,
        series: Vec<SeriesLook>,
        reference_lines: Vec<ReferenceLine>,
        stack: Stack,
        /// Percent.
        opacity: f64,
        smooth: bool,
    }
}

options! {
    /// A point per row over two numbers.
    ScatterOptions {
        x: String,
        y: String,
        /// Number of a point's size.
        size: String,
        group: String,
        /// Column that names a point.
        name: String,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        x_format: NumberFormat,
        x_log: bool,
        y_log: bool,
        /// Line of least squares.
        regression: bool,
        opacity: f64,
        smallest: f64,
        largest: f64,
        legend: bool,
        series: Vec<SeriesLook>,
    }
}

options! {
    /// A coloured cell per pair.
    HeatmapOptions {
        x: String,
        y: String,
        value: String,
        combine: Combine,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        layout: HeatmapLayout,
        palette: Palette,
        /// Ends of the colours as decimal texts.
        min: String,
        max: String,
        steps: bool,
        labels: bool,
        legend: bool,
    }
}

options! {
    /// A bar in space per pair.
    Bar3dOptions {
        x: String,
        y: String,
        value: String,
        combine: Combine,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        shading: Shading,
        rotate: bool,
        colour_by_value: bool,
        /// Percent.
        bevel: f64,
        /// Degrees over the floor.
        tilt: f64,
        /// Degrees around.
        turn: f64,
        legend: bool,
    }
}

options! {
    /// A box per category.
    BoxplotOptions {
        layout: BoxplotLayout,
        category: String,
        value: String,
        lowest: String,
        lower_quartile: String,
        median: String,
        upper_quartile: String,
        highest: String,
        whiskers: Whiskers,
        outliers: bool,
        horizontal: bool,
        log: bool,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
    }
}
