/** Rows as a CSV file: quoted where needed, and safe to open in a spreadsheet. */

const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers below zero stay numbers. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvText(names: readonly string[], rows: Iterable<readonly string[]>): string {
  const lines = [names, ...rows].map((row) => row.map(cell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}
