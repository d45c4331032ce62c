//! Scans of the lake in several processes: what DataFusion's messages drop of a scan, and the sharing out of a scan over tasks.

mod files;
mod restore;
mod row_groups;
mod share_out;
mod sort_hint;

pub use files::ScanFiles;
pub use restore::restore;
pub use share_out::{bytes_to_read, can_share_out, share_out};
