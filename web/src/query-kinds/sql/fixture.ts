/** A small catalogue for tests. */
import type { Catalogue } from '../catalogue';

const column = (name: string, type: string) => ({ name, type, doc: `Doc of ${name}.` });

export const catalogue: Catalogue = {
  schemas: [
    {
      name: 'ethereum',
      tables: [
        { name: 'blocks', doc: 'One row per block.', rows: 10, columns: [column('number', 'bigint'), column('miner', 'address'), column('gas_used', 'bigint')] },
        { name: 'transactions', doc: 'One row per transaction.', rows: 150000, columns: [column('hash', 'hash'), column('value', 'decimal(38,0)'), column('block_number', 'bigint'), column('from', 'address')] },
      ],
    },
    { name: 'labels', tables: [{ name: 'addresses', doc: 'Labels.', rows: 3, columns: [column('address', 'address'), column('label', 'varchar')] }] },
  ],
  functions: [
    { name: 'date_trunc', kind: 'scalar', signature: 'date_trunc(precision, time)', doc: 'Cuts a time.', example: "date_trunc('day', block_timestamp)" },
    { name: 'sum', kind: 'aggregate', signature: 'sum(x)', doc: 'Exact sum.', example: 'sum(value)' },
    { name: 'now', kind: 'scalar', signature: 'now()', doc: 'Time of the head block.', example: 'now()' },
  ],
  keywords: ['select', 'from', 'where', 'group by', 'order by', 'limit', 'join', 'with', 'number'],
};
