import { describe, expect, it } from 'vitest';
import { queryOf, readFilters, stretchOf, writeFilters, type FilterSpec } from './filters';

const specs: FilterSpec[] = [
  { kind: 'text', key: 'userName', label: 'User' },
  { kind: 'choice', key: 'state', label: 'State', options: [{ value: 'open', label: 'Open' }, { value: 'handled', label: 'Handled' }] },
  { kind: 'days', label: 'Day' },
];
const read = (text: string) => readFilters(new URLSearchParams(text), specs);

describe('filters in the address', () => {
  it('come back as they were written', () => {
    for (const text of ['', 'userName=ada&state=open&from=2026-11-01&to=2026-11-02&page=3&size=50', 'page=2']) {
      expect(writeFilters(new URLSearchParams(), specs, read(text)).toString()).toBe(text);
    }
  });
  it('count as not given when they make no sense', () => {
    expect(read('state=lost&from=2026-02-31&to=soon&page=-1&size=7')).toEqual({ values: {}, page: 1, size: 20 });
    expect(read(`userName=${'x'.repeat(201)}&page=1e9`)).toEqual({ values: {}, page: 1, size: 20 });
  });
  it('leave what belongs to others', () => {
    expect(writeFilters(new URLSearchParams('view=pages&state=open&page=4'), specs, { values: {}, page: 1, size: 20 }).toString()).toBe('view=pages');
  });
  it('ask for whole days', () => {
    const query = queryOf(read('from=2026-11-20&to=2026-11-20&state=handled'), specs);
    expect(query).toEqual({ page: 1, size: 20, state: 'handled', from: Date.UTC(2026, 10, 20), to: Date.UTC(2026, 10, 21) });
  });
  it('know the last 30 days and the two last whole months', () => {
    const now = Date.UTC(2026, 2, 31, 12);
    expect(stretchOf('days30', now)).toEqual({ from: '2026-03-02', to: '2026-03-31' });
    expect(stretchOf('previousMonth', now)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(stretchOf('monthBeforeLast', now)).toEqual({ from: '2026-01-01', to: '2026-01-31' });
  });
});
