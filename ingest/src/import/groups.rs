//! Groups files by range and checks that they are complete. The tools split each table into files.

use std::path::{Path, PathBuf};

use quarry_types::Result;

use super::cell::int;
use super::file::{Foreign, ImportFormat, Kind, invalid, is_void};
use super::rows;

/// Files with overlapping blocks, and their range.
pub(super) struct Group {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) files: Vec<PathBuf>,
}

/// First and last.
type Span = (u64, u64);

/// A file before the import.
struct Part {
    /// `None` for an empty file, which may be of any kind.
    kind: Option<Kind>,
    path: PathBuf,
    /// Blocks of its rows; `None` without rows.
    rows: Option<Span>,
    /// Blocks that its name declares.
    named: Option<Span>,
    /// Whether it has blocks with transaction counts and log blooms, which reveal missing rows.
    counts: bool,
    blooms: bool,
}

/// Groups files in ascending order, with the chain id if a file has one. All kinds of the format must cover all blocks
/// of a group.
pub(super) fn groups(paths: &[PathBuf], format: ImportFormat) -> Result<(Vec<Group>, Option<u64>)> {
    let (mut parts, mut chain_id) = (Vec::new(), None);
    for path in paths {
        if is_void(path)? {
            let path = path.clone();
            parts.push(Part { kind: None, path, rows: None, named: None, counts: false, blooms: false });
            continue;
        }
        let Some(file) = Foreign::read(path, format)? else { continue };
        let (rows, named) = (rows::range(&file)?, named(path));
        if rows.is_some() && chain_id.is_none() {
            chain_id = file.opt(&["chain_id"], 0, int)?;
        }
        // Other names may contain digits too, such as a date.
        let named = named.filter(|named| rows.is_none_or(|rows| named.0 <= rows.0 && rows.1 <= named.1));
        let blocks = file.kind == Kind::Blocks;
        let (counts, blooms) = (blocks && file.has("transaction_count"), blocks && file.has("logs_bloom"));
        parts.push(Part { kind: Some(file.kind), path: path.clone(), rows, named, counts, blooms });
    }
    parts.sort_by(|one, other| (one.rows, one.kind, &one.path).cmp(&(other.rows, other.kind, &other.path)));
    let mut groups: Vec<Group> = Vec::new();
    for part in &parts {
        let Some((from, to)) = part.rows else { continue };
        match groups.last_mut() {
            Some(group) if from <= group.to => {
                group.to = group.to.max(to);
                group.files.push(part.path.clone());
            }
            _ => groups.push(Group { from, to, files: vec![part.path.clone()] }),
        }
    }
    for group in &groups {
        for kind in format.kinds() {
            if let Some((from, to)) = lacking(group, *kind, &parts) {
                return Err(invalid(format!(
                    "There are no {} among the files of the blocks {from} to {to}; the tables of a range are imported together.",
                    kind.name(),
                )));
            }
        }
    }
    Ok((groups, chain_id))
}

/// The blocks of a group without files of this kind, as far as known before the rows are read.
fn lacking(group: &Group, kind: Kind, parts: &[Part]) -> Option<Span> {
    let within = |part: &&Part| part.rows.is_some_and(|(from, _)| (group.from..=group.to).contains(&from));
    let of_kind = || parts.iter().filter(|part| part.kind == Some(kind));
    let mut blocks = parts.iter().filter(within).filter(|part| part.kind == Some(Kind::Blocks));
    let is_known = match kind {
        Kind::Transactions | Kind::Receipts => blocks.all(|part| part.counts),
        Kind::Logs => blocks.all(|part| part.blooms),
        _ => false,
    };
    if is_known {
        let is_there = parts.iter().any(|part| part.kind.is_none_or(|of| of == kind));
        return (!is_there).then_some((group.from, group.to));
    }
    if of_kind().any(|part| part.named.is_none() && (part.rows.is_none() || within(&part))) {
        return None;
    }
    let mut named: Vec<Span> = of_kind().filter_map(|part| part.named).collect();
    named.sort_unstable();
    gap((group.from, group.to), &named)
}

/// The first gap of a span between ranges in ascending order.
fn gap((from, to): Span, others: &[Span]) -> Option<Span> {
    let mut next = from;
    for (first, last) in others {
        if *first > next {
            return Some((next, to.min(*first - 1)));
        }
        if *last >= to {
            return None;
        }
        next = next.max(*last + 1);
    }
    Some((next, to))
}

/// The range at the end of a file name: `ethereum__logs__00001000_to_00001999` of cryo, `logs_00001000_00001999` of
/// ethereum-etl.
fn named(path: &Path) -> Option<Span> {
    let mut words = path.file_stem()?.to_str()?.rsplit('_').filter(|word| *word != "to");
    let (to, from) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    (from <= to).then_some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_have_ranges() {
        for (name, span) in [
            ("ethereum__logs__00001000_to_00001999.parquet", Some((1000, 1999))),
            ("network_5__blocks__00000007_to_00000007.csv", Some((7, 7))),
            ("logs_00001000_00001999.csv", Some((1000, 1999))),
            ("logs.csv", None),
            ("logs_2024.csv", None),
            ("logs_2000_1000.csv", None),
            ("logs_99999999999999999999_to_99999999999999999999.csv", None),
        ] {
            assert_eq!(named(Path::new(name)), span, "{name}");
        }
    }

    #[test]
    fn gaps_are_detected() {
        for (others, found) in [
            (vec![], Some((10, 19))),
            (vec![(0, 99)], None),
            (vec![(10, 14), (15, 19)], None),
            (vec![(0, 5), (10, 14), (12, 13), (15, 30)], None),
            (vec![(12, 19)], Some((10, 11))),
            (vec![(10, 12), (15, 19)], Some((13, 14))),
            (vec![(10, 18)], Some((19, 19))),
            (vec![(0, 5), (30, 40)], Some((10, 19))),
        ] {
            assert_eq!(gap((10, 19), &others), found, "{others:?}");
        }
    }
}
