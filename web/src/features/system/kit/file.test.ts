import { expect, it } from 'vitest';
import { fileText } from './file';

it('a file has the columns with a text, and says the unit of a duration', () => {
  const columns = [
    { key: 'name', head: 'Query', text: (row: { name: string; ms: number }) => row.name },
    { key: 'took', head: 'Took', unit: 'ms', text: (row: { name: string; ms: number }) => String(row.ms) },
    { key: 'actions', head: 'Actions' },
  ];
  expect(fileText(columns, [{ name: 'Gas, by day', ms: 528 }]).split(/\r?\n/).slice(0, 2)).toEqual(['Query,Took (ms)', '"Gas, by day",528']);
});
