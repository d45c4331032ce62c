//! Imports files of cryo and ethereum-etl, Parquet or CSV. The files of a range are published together, and token
//! transfers are decoded from logs as for blocks of a node.

mod batches;
mod block;
mod cell;
mod completeness;
#[cfg(test)]
mod completeness_tests;
mod file;
#[cfg(test)]
mod fixtures;
mod groups;
mod header;
mod parent_links;
mod rows;
#[cfg(test)]
mod tests;
mod traces;

use std::path::{Path, PathBuf};

use alloy_primitives::B256;
use quarry_lake::{BlockRange, Head, Lake, Origin, Publish};
use quarry_types::{Error, Result};

pub use file::ImportFormat;
use file::{Foreign, Kind, invalid};
use groups::{Group, groups};

/// Mainnet's chain id: the default for files without a chain id.
const MAINNET: u64 = 1;
const MICROSECONDS: i64 = 1_000_000;

/// What to import.
#[derive(Debug, Clone)]
pub struct ImportConfig {
    pub format: ImportFormat,
    /// Files, or folders whose `.parquet` and `.csv` files are imported recursively.
    pub paths: Vec<PathBuf>,
    /// Chain of the files; by default that of the lake, that in the files, or mainnet.
    pub chain_id: Option<u64>,
}

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportSummary {
    /// Imported ranges.
    pub ranges: Vec<BlockRange>,
    /// Skipped ranges that the lake already had.
    pub held: Vec<BlockRange>,
    pub rows: u64,
}

/// Imports files. Each range is published in all tables at once; ranges before an invalid file remain.
///
/// # Errors
/// `InvalidInput` for a file of another tool, an invalid value (with file, row and column), a range with missing files,
/// blocks that do not continue those of the lake, and a lake of another chain.
pub async fn import(lake: &Lake, config: ImportConfig, mut progress: impl FnMut(BlockRange)) -> Result<ImportSummary> {
    let info = lake.info().await?;
    if info.origin == Some(Origin::Sample) {
        return Err(invalid("This home holds the sample chain. Choose another one with --home for imported blocks."));
    }
    let writer = lake.writer().await?;
    let format = config.format;
    let paths = expand(&config.paths)?;
    let groups = tokio::task::spawn_blocking(move || groups(&paths, format)).await;
    let (groups, stated) = groups.map_err(Error::internal)??;
    let chain_id = config.chain_id.or(info.chain_id).or(stated).unwrap_or(MAINNET);
    let mut summary = ImportSummary::default();
    for group in groups {
        let range = range(&group)?;
        if lake.snapshot().await?.missing(range).is_empty() {
            summary.held.push(range);
            continue;
        }
        let made = tokio::task::spawn_blocking(move || rows_of(&group, format, chain_id)).await;
        let Made { batches, parent, head } = made.map_err(Error::internal)??;
        parent_links::check(lake, range, parent, head.hash).await?;
        writer.claim(chain_id, Origin::Node).await?;
        let mut staging = writer.stage(range);
        for (table, batch) in batches {
            summary.rows += batch.num_rows() as u64;
            staging.write(table, batch).await?;
        }
        let staged = staging.finish().await?;
        let publish = Publish { head: Some(head), reason: "import".to_string(), ..Publish::default() };
        writer.publish(vec![staged], publish).await?;
        summary.ranges.push(range);
        progress(range);
    }
    Ok(summary)
}

/// The rows of a group.
struct Made {
    batches: Vec<(quarry_lake::tables::Table, arrow::array::RecordBatch)>,
    /// The parent hash of the first block, if the files have it.
    parent: Option<B256>,
    /// The last block.
    head: Head,
}

fn rows_of(group: &Group, format: ImportFormat, chain_id: u64) -> Result<Made> {
    let mut files = Vec::new();
    for path in &group.files {
        files.extend(Foreign::read(path, format)?);
    }
    for file in &files {
        for row in 0..file.rows {
            let said = file.opt(&["chain_id"], row, |cell| cell.int())?;
            if let Some(said) = said.filter(|said| u64::try_from(*said) != Ok(chain_id)) {
                let why = format!("it is of chain {said}, not {chain_id}");
                return Err(file::refused(&file.path, row, "chain_id", &why));
            }
        }
    }
    let blocks = rows::blocks(&files, format.kinds().contains(&Kind::Receipts))?;
    for (wanted, block) in (group.from..).zip(&blocks) {
        if block.data.header.number != wanted {
            return Err(invalid(format!("Block {wanted} is in none of the files.")));
        }
    }
    let Some(last) = blocks.last().filter(|last| last.data.header.number == group.to) else {
        return Err(invalid(format!("Block {} is in none of the files.", group.to)));
    };
    let head = Head {
        number: last.data.header.number.cast_signed(),
        hash: last.data.hash,
        time: last.data.header.timestamp.cast_signed().saturating_mul(MICROSECONDS),
    };
    let parent = blocks.first().and_then(|first| first.parent_hash);
    Ok(Made { batches: batches::batches(&blocks)?, parent, head })
}

/// The files by name. Both tools can write nested folders: ethereum-etl's `export_all` one for each table and range,
/// cryo with `--subdirs`.
fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        match std::fs::metadata(path).map_err(|error| unreadable(path, &error))?.is_dir() {
            true => add_tables(path, &mut files)?,
            false => files.push(path.clone()),
        }
    }
    files.sort();
    match files.is_empty() {
        true => Err(invalid("There are no Parquet or CSV files to import.")),
        false => Ok(files),
    }
}

fn add_tables(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).map_err(|error| unreadable(folder, &error))? {
        let entry = entry.map_err(|error| unreadable(folder, &error))?;
        let path = entry.path();
        // Links to folders are not followed, as they may be cyclic.
        if entry.file_type().map_err(|error| unreadable(&path, &error))?.is_dir() {
            add_tables(&path, files)?;
        } else if is_table(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    invalid(format!("{} can't be read: {error}.", path.display()))
}

fn is_table(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| extension.eq_ignore_ascii_case("parquet") || extension.eq_ignore_ascii_case("csv"))
}

fn range(group: &Group) -> Result<BlockRange> {
    let number =
        |block: u64| i64::try_from(block).map_err(|_| invalid(format!("{block} is not a valid block number.")));
    BlockRange::new(number(group.from)?, number(group.to)?)
}
