//! Forms of SQL that DataFusion cannot plan, one a file.

pub mod frame_exclusion;
pub mod lateral_rows;
pub mod limited_subqueries;
pub mod mark_joins;
pub mod pivots;
