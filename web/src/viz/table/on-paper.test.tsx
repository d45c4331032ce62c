// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { startLanguage } from '@/i18n';
import { result } from '../fixture';
import { OnPaper } from './on-paper';

beforeAll(startLanguage);
afterEach(cleanup);

const printed = (columns: number, ...cells: string[]) => {
  const table = result(Array.from({ length: columns }, (_, at): [string, string] => [`c${at}`, at === 0 ? 'varchar' : 'uint256']), cells);
  render(<OnPaper source="s" columns={table.columns.map((column, index) => ({ ...column, index }))} table={table} total={1} fetchRows={() => Promise.resolve(table.rows)} />);
  const found = screen.getAllByRole('cell').map((cell) => [cell.dataset['breaks'], cell.innerHTML]);
  cleanup();
  return found;
};

it('a printed number goes on in the next line behind a comma only, a short one not at all', () => {
  expect(printed(4, 'a,b', '1234567', '1234567890123456', '1'.repeat(78)).map(([breaks]) => breaks)).toEqual(['anywhere', 'never', 'commas', 'commas']);
  expect(printed(2, 'a,b', '1234567890123456')).toEqual([['anywhere', 'a,b'], ['commas', '1,<wbr>234,<wbr>567,<wbr>890,<wbr>123,<wbr>456']]);
  expect(printed(10, 'a', ...Array.from({ length: 9 }, () => '1234567'))[1]?.[0]).toBe('commas');
});
