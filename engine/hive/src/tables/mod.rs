//! Writes rows into tables: those of queries and of text files, into whole tables or partitions.

mod insert;
mod partitions;
mod rewrite;
mod text_file;
mod text_format;
mod text_rows;

pub(crate) use insert::{Insert, check_distinct, create_table_as, insert};
pub(crate) use partitions::{
    Partition, PartitionCondition, PartitionKeys, column_of, exclude_matching, parse_conditions, parse_partitions,
};
pub(crate) use rewrite::{rewrite_table, scan};
pub(crate) use text_file::read_text_files;
pub(crate) use text_format::TextFormat;
