import type { ColDef, ValueFormatterParams } from 'ag-grid-community';
import { expect, it } from 'vitest';
import { columnDefs } from './grid-options';
import type { GridRow } from './grid-rows';

const columns = [
  { name: 'hash', type: 'hash', index: 0 },
  { name: 'value', type: 'uint256', index: 1 },
];
const definitions = (formats: Parameters<typeof columnDefs>[1], sort: Parameters<typeof columnDefs>[4]) => columnDefs(columns, formats, 5_000, 1, sort).filter(({ colId }) => colId !== 'row');
const written = ({ valueFormatter }: ColDef<GridRow>, value: string) => (typeof valueFormatter === 'function' ? valueFormatter({ value } as ValueFormatterParams<GridRow>) : null);

it('a result that is opened again is sorted by the column it was left with, and by no other', () => {
  expect(definitions({}, { column: '1', direction: 'desc' }).map(({ initialSort }) => initialSort)).toEqual([undefined, 'desc']);
  expect(definitions({}, null).map(({ initialSort }) => initialSort)).toEqual([undefined, undefined]);
});

it('a format belongs to the column it was chosen for', () => {
  const [, value] = definitions({ 1: 'eth' }, null);
  expect(value && written(value, '1500000000000000000')).toBe('1.5 ETH');
  const [, other] = definitions({ 0: 'eth' }, null);
  expect(other && written(other, '1500000000000000000')).toBe('1,500,000,000,000,000,000');
});
