//! Plain tables for the terminal.

use std::io::{self, Write};

use quarry_lake::{BlockRange, DamagedFile};

/// Rows of text under headings; numbers are the caller's business.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
    widths: Vec<usize>,
}

impl Table {
    pub fn new<const N: usize>(headings: [&str; N]) -> Table {
        let mut table = Table { rows: Vec::new(), widths: vec![0; N] };
        table.push(headings.map(str::to_string));
        table
    }

    pub fn push<const N: usize>(&mut self, row: [String; N]) {
        for (width, cell) in self.widths.iter_mut().zip(&row) {
            *width = (*width).max(cell.chars().count());
        }
        self.rows.push(row.into());
    }

    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for row in &self.rows {
            write_row(out, row.iter().map(String::as_str), &self.widths)?;
        }
        out.flush()
    }
}

/// Cells of one row, filled up to the widths of their columns and two spaces apart.
pub fn write_row<'a>(out: &mut impl Write, cells: impl Iterator<Item = &'a str>, widths: &[usize]) -> io::Result<()> {
    let mut line = String::new();
    for (cell, width) in cells.zip(widths) {
        if !line.is_empty() {
            line.push_str("  ");
        }
        line.push_str(cell);
        line.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.chars().count())));
    }
    writeln!(out, "{}", line.trim_end())
}

/// A whole number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size in the unit that reads best.
pub fn size(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", units[unit]) }
}

/// Names damaged files, and how their blocks come back.
pub(super) fn damaged(out: &mut impl Write, files: &[DamagedFile]) -> io::Result<()> {
    for DamagedFile { path, blocks, detail, .. } in files {
        let BlockRange { from, to } = blocks;
        writeln!(out, "damaged   {path}: {detail}")?;
        writeln!(out, "          repair with: quarry ingest --overwrite --from {from} --to {to}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["name", "rows"]);
        table.push(["blöcke".to_string(), grouped(1_234_567)]);
        table.push(["x".to_string(), grouped(7)]);
        let mut out = Vec::new();
        table.print(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "name    rows\nblöcke  1,234,567\nx       7\n");
    }

    #[test]
    fn sizes_read_well() {
        assert_eq!([size(7), size(1536), size(5 << 30)], ["7 B", "1.5 KiB", "5.0 GiB"]);
    }
}
