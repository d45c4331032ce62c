/** SQL: interactive queries in DataFusion's dialect with Ethereum functions. */
import type { QueryKind } from '../types';
import { describe } from './describe';
import { formatSql } from './format';
import { suggest } from './suggest';
import { KEYWORDS, quoteName, TYPES } from './words';

export const sql: QueryKind = {
  id: 'SQL',
  title: 'SQL',
  starter: `select date_trunc('day', block_timestamp) as day,
       count(*) as transactions,
       sum(value) as wei_moved
from transactions
group by 1
order by 1
`,
  language: (catalogue) => ({
    dialect: 'sql',
    keywords: [...KEYWORDS, ...catalogue.keywords].flatMap((word) => word.toLowerCase().split(' ')),
    functions: catalogue.functions.map((fn) => fn.name),
    types: TYPES,
    suggest: (text, offset, asked) => suggest(text, offset, asked, catalogue),
    describe: (text, offset) => describe(text, offset, catalogue),
  }),
  format: (text) => formatSql(text),
  quoteName,
};
