//! Options of the types without two axes. A column is named as in the result.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::parts::{Combine, NumberFormat, SeriesLook, SortOrder, options, words};

words! {
    /// Form of a pie.
    PieShape { Donut, Pie, Rose }
}

words! {
    /// What a slice says.
    PieLabel { Percent, Value, Name, None }
}

words! {
    /// What a step is compared with.
    FunnelPercent { First, Previous, None }
}

words! {
    /// Where steps stand.
    FunnelAlign { Center, Left, Right }
}

words! {
    /// Direction.
    Orient { Vertical, Horizontal }
}

words! {
    /// Indicators as columns, or named by rows.
    RadarLayout { Wide, Long }
}

words! {
    /// A scale each, or one.
    RadarScale { Each, Shared }
}

words! {
    /// Form of the grid.
    Outline { Polygon, Circle }
}

words! {
    /// Columns as levels, or rows with parents.
    HierarchyLayout { Path, Ids }
}

words! {
    /// Where a tree grows.
    Side { Right, Left, Down, Up }
}

words! {
    /// Links, or ways through stages.
    SankeyLayout { Links, Stages }
}

words! {
    /// Where nodes stand.
    SankeyAlign { Justify, Left, Right }
}

words! {
    /// Colour of links.
    LinkColour { Source, Target, Gradient, Grey }
}

words! {
    /// Order of parts.
    SunburstSort { Falling, None }
}

words! {
    /// Direction of names.
    SunburstLabel { Radial, Tangential, Horizontal, None }
}

words! {
    /// Rows as edges, or cells with nodes and paths.
    GraphLayout { Links, Objects }
}

words! {
    /// How nodes find their places.
    Arrange { Force, Circular, None }
}

words! {
    /// What makes a node large.
    SizeBy { Degree, Weight, Same }
}

words! {
    /// Which nodes say their name.
    GraphLabels { All, Large, None }
}

options! {
    /// Shares of a whole.
    PieOptions {
        category: String,
        value: String,
        combine: Combine,
        sort: SortOrder,
        /// Most slices; the rest becomes one. 0 keeps all.
        top: i64,
        /// Slices under so many percent go to the rest.
        min_share: f64,
        shape: PieShape,
        label: PieLabel,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        legend: bool,
        series: Vec<SeriesLook>,
    }
}

options! {
    /// Steps that get fewer.
    FunnelOptions {
        step: String,
        value: String,
        combine: Combine,
        sort: SortOrder,
        /// What each step is compared with.
        percent: FunnelPercent,
        align: FunnelAlign,
        orient: Orient,
        gap: f64,
        limit: i64,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        legend: bool,
        series: Vec<SeriesLook>,
    }
}

options! {
    /// Several numbers of a few things, around a centre.
    RadarOptions {
        layout: RadarLayout,
        /// Column that names the things.
        name: String,
        /// Number columns of the wide layout: at least 3, or none to take them from the result.
        indicators: Vec<String>,
        /// Column that names the indicator of each row in the long layout.
        indicator: String,
        value: String,
        combine: Combine,
        limit: i64,
        scale: RadarScale,
        outline: Outline,
        filled: bool,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        legend: bool,
        series: Vec<SeriesLook>,
    }
}

options! {
    /// A line per row over an axis per column.
    ParallelOptions {
        dimensions: Vec<String>,
        group: String,
        /// Axes that run downwards.
        inverted: Vec<String>,
        logarithmic: Vec<String>,
        smooth: bool,
        opacity: f64,
        legend: bool,
        series: Vec<SeriesLook>,
    }
}

options! {
    /// A tree.
    TreeOptions {
        /// By columns from the top down, or by rows that name their parents.
        layout: HierarchyLayout,
        path: Vec<String>,
        id: String,
        parent: String,
        name: String,
        /// Number of a node; empty counts the leaves.
        value: String,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        orient: Side,
        radial: bool,
        /// Levels that are open at first; 0 opens all.
        depth: i64,
        /// Several roots hang below one that is made for them.
        join_roots: bool,
        curved: bool,
    }
}

options! {
    /// Flows between nodes.
    SankeyOptions {
        layout: SankeyLayout,
        source: String,
        target: String,
        stages: Vec<String>,
        /// Size of a link; empty counts rows.
        value: String,
        split_ends: bool,
        /// Most links; the largest are kept.
        limit: i64,
        orient: Orient,
        align: SankeyAlign,
        gap: f64,
        link_colour: LinkColour,
        labels: bool,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        series: Vec<SeriesLook>,
    }
}

options! {
    /// Rings of a tree by value.
    SunburstOptions {
        /// By columns from the top down, or by rows that name their parents.
        layout: HierarchyLayout,
        path: Vec<String>,
        id: String,
        parent: String,
        name: String,
        /// Number of a node; empty counts the leaves.
        value: String,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        sort: SunburstSort,
        label: SunburstLabel,
        /// Levels that are drawn; 0 draws all.
        depth: i64,
        zoom: bool,
        series: Vec<SeriesLook>,
    }
}

options! {
    /// Themes over time as streams.
    ThemeRiverOptions {
        time: String,
        value: String,
        /// Column that names the streams.
        name: String,
        combine: Combine,
        limit: i64,
        labels: bool,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        legend: bool,
        series: Vec<SeriesLook>,
    }
}

options! {
    /// Nodes and edges.
    GraphOptions {
        layout: GraphLayout,
        source: String,
        target: String,
        /// Number of an edge; empty counts rows.
        weight: String,
        /// Column of the source's kind.
        category: String,
        arrange: Arrange,
        size_by: SizeBy,
        /// Most edges; the heaviest are kept.
        limit: i64,
        arrows: bool,
        labels: GraphLabels,
        repulsion: f64,
        gravity: f64,
        edge_length: f64,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
        legend: bool,
        series: Vec<SeriesLook>,
    }
}

options! {
    /// One number on a scale.
    GaugeOptions {
        value: String,
        /// Row of the value, counted from 1.
        row: i64,
        /// Ends of the scale as decimal texts; an empty max is the next round number.
        min: String,
        max: String,
        /// Decimal text; empty draws no target.
        target: String,
        /// Percent of the scale.
        fair_from: f64,
        poor_from: f64,
        start_angle: f64,
        end_angle: f64,
        progress: bool,
        pointer: bool,
        label: String,
        format: NumberFormat,
        /// Places after the point; -1 keeps them all.
        decimals: i64,
        /// Unit behind a number whose format brings none.
        unit: String,
    }
}
