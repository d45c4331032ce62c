import { expect, it } from 'vitest';
import type { Schemas } from '@/api/call';
import { look, result } from './fixture';
import { pictures } from './pictures';
import { thumbnailOf, type Thumbed } from './thumbnail-draw';
import { VIZ_TYPES, type ResultTable } from './types';

/** The rows as the API answers them, drawn as they are by default. */
const drawn = (type: Schemas['Viz']['type'], table: ResultTable) => thumbnailOf({ type, options: {} } as Schemas['Viz'], { columns: table.columns, rows: table.rows, total: table.total } as unknown as Schemas['ShownRows'], look);

/** The outlines in a picture: its classes are numbered anew at each drawing. */
function shapes(thumbed: Thumbed): string[] {
  if (thumbed.kind !== 'picture') throw new Error(`a ${thumbed.kind} instead of a picture`);
  return decodeURIComponent(thumbed.src).match(/ (d|points)="[^"]+"/g) ?? [];
}

const days = (last: string) => result([['day', 'date'], ['txs', 'bigint']], ['2026-11-01', '5'], ['2026-11-02', '9'], ['2026-11-03', last]);
const kinds = (last: string) => result([['kind', 'varchar'], ['txs', 'bigint']], ['call', '5'], ['transfer', '9'], ['create', last]);
it('every type but tables, single numbers and charts in space has a picture', () => {
  expect(VIZ_TYPES.filter((type) => !pictures[type])).toEqual(['table', 'counter', 'bar3d']);
});

it.each([['line', days], ['area', days], ['bar', kinds], ['pie', kinds], ['funnel', kinds]] as const)('%s is drawn without a page, and another value is another shape', async (type, table) => {
  const drawing = shapes(await drawn(type, table('2')));
  expect(drawing.length).toBeGreaterThan(0);
  expect(shapes(await drawn(type, table('2')))).toEqual(drawing);
  expect(shapes(await drawn(type, table('3')))).not.toEqual(drawing);
});

it('a graph is drawn without a page, the same each time, and without names that nobody could read', async () => {
  const ways = result([['from_address', 'varchar'], ['to_address', 'varchar'], ['kind', 'varchar'], ['txs', 'bigint']], ['a', 'b', 'eoa', '5'], ['b', 'c', 'contract', '9'], ['c', 'd', 'token', '2']);
  const [first, second] = [await drawn('graph', ways), await drawn('graph', ways)];
  expect(shapes(first).length).toBeGreaterThan(6);
  expect(shapes(first)).toEqual(shapes(second));
  expect(first.kind === 'picture' && decodeURIComponent(first.src)).not.toContain('<text');
});

it('what cannot be drawn is shown as its first rows', async () => {
  const texts = result([['name', 'varchar'], ['note', 'varchar']], ['ada', 'first']);
  expect(await drawn('scatter', texts)).toEqual({ kind: 'table', rows: [['name', 'note'], ['ada', 'first']] });
});

it('a counter is its number', async () => {
  expect(await drawn('counter', result([['txs', 'bigint']], ['150000']))).toEqual({ kind: 'number', text: '150,000', name: 'txs' });
});
