/** HIVE: scripts of HiveQL as batch jobs, with log lines, and tables of one's own. */
import { formatSql } from '../sql/format';
import { describe } from '../sql/describe';
import { suggest } from '../sql/suggest';
import type { Catalogue } from '../catalogue';
import type { QueryKind } from '../types';
import { FUNCTIONS } from './functions';
import { HIVE_DIALECT, KEYWORDS, quoteName, TYPES } from './words';

/** The same tables, and Hive's own functions and words in place of SQL's. */
const hiveCatalogue = (catalogue: Catalogue): Catalogue => ({ schemas: catalogue.schemas, functions: FUNCTIONS, keywords: [] });

/** Whether the offset is inside a text between double quotes, which in Hive is no name. */
function insideQuotes(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).replace(/\\./g, '').replace(/'[^']*'/g, '');
  return (line.split('"').length - 1) % 2 === 1;
}

export const hive: QueryKind = {
  id: 'HIVE',
  title: 'HIVE',
  starter: `select to_date(block_timestamp) as day,
       count(*) as transactions,
       count(distinct from_address) as senders
from transactions
group by to_date(block_timestamp)
order by day;
`,
  logs: true,
  pages: 100,
  language: (catalogue) => {
    const own = hiveCatalogue(catalogue);
    return {
      dialect: 'hive',
      keywords: KEYWORDS.flatMap((word) => word.split(' ')),
      functions: FUNCTIONS.map((fn) => fn.name),
      types: TYPES,
      suggest: (text, offset, asked) => (insideQuotes(text, offset) ? null : suggest(text, offset, asked, own, HIVE_DIALECT)),
      describe: (text, offset) => describe(text, offset, own),
    };
  },
  format: (text) => formatSql(text, 'hive'),
  quoteName,
};
