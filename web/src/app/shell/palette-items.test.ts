import { describe, expect, it } from 'vitest';
import { findItems, fit, type Group, type PaletteItem } from './palette-items';

const item = (group: Group, name: string, words?: string): PaletteItem => ({ key: name, group, name, run: () => undefined, ...(words === undefined ? {} : { words }) });
const found = (items: PaletteItem[], search: string) => findItems(items, search).map(({ name }) => name);

describe('the command palette', () => {
  it('ranks the start of a name over the start of a word over the middle', () => {
    expect([fit(item('pages', 'Jobs'), ['job']), fit(item('pages', 'My jobs'), ['job']), fit(item('pages', 'Objobs'), ['job']), fit(item('pages', 'Home'), ['job'])]).toEqual([3, 2, 1, null]);
  });

  it('wants every word, in any order, also in other words of an entry', () => {
    expect(found([item('actions', 'New query', 'sql editor'), item('actions', 'New dashboard')], 'query new')).toEqual(['New query']);
    expect(found([item('actions', 'New query', 'sql editor')], 'editor')).toEqual(['New query']);
  });

  it('takes signs of the search for themselves', () => {
    expect(found([item('functions', 'date_trunc')], 'date_(')).toEqual([]);
    expect(found([item('tables', 'labels.addresses')], 'addr')).toEqual(['labels.addresses']);
  });

  it('shows the group with the best fit first', () => {
    expect(found([item('actions', 'Run the transactions again'), item('tables', 'transactions')], 'transactions')).toEqual(['transactions', 'Run the transactions again']);
  });

  it('shows no tables and functions before anything is typed, and six of a group at most', () => {
    expect(found([item('pages', 'Home'), item('tables', 'blocks')], '')).toEqual(['Home']);
    expect(found(Array.from({ length: 9 }, (_, at) => item('functions', `abs${at}`)), 'abs')).toHaveLength(6);
  });
});
