/** Every row of a result, of which a table that is read page by page has only the first. */
import type { Cell } from '@/lib/columns';
import type { ResultTable } from './types';

/** Most rows of one answer of the server. */
const PAGE = 10_000;

export async function allRows({ rows, total, pages }: ResultTable): Promise<readonly (readonly Cell[])[]> {
  if (!pages || rows.length >= total) return rows;
  const all = [...rows];
  while (all.length < total) {
    const page = await pages.fetchRows(all.length, Math.min(PAGE, total - all.length), new AbortController().signal);
    // Rows that are missing would go unnoticed in a file.
    if (page.length === 0) throw new Error(`the result ends at row ${all.length} of ${total}`);
    for (const row of page) all.push(row);
  }
  return all;
}
