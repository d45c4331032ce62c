/** Words of HiveQL, and names that need quotes there. */
import type { Dialect } from '../sql/words';

export const KEYWORDS = [
  'select', 'distinct', 'from', 'where', 'group by', 'having', 'order by', 'sort by', 'cluster by', 'distribute by', 'limit', 'with', 'as', 'join', 'inner join', 'left join', 'right join', 'full join', 'left semi join', 'left anti join', 'cross join', 'on', 'using',
  'union all', 'union', 'intersect', 'except', 'and', 'or', 'not', 'in', 'exists', 'between', 'like', 'rlike', 'is null', 'is not null', 'case', 'when', 'then', 'else', 'end', 'over', 'partition by', 'asc', 'desc', 'nulls first', 'nulls last',
  'lateral view', 'lateral view outer', 'grouping sets', 'cube', 'rollup', 'rows', 'range', 'preceding', 'following', 'unbounded', 'current row', 'interval', 'cast', 'true', 'false', 'null',
  'create table', 'create temporary table', 'create view', 'if not exists', 'if exists', 'partitioned by', 'insert into table', 'insert overwrite table', 'partition', 'values', 'drop table', 'truncate table', 'alter table', 'rename to', 'show tables', 'describe', 'explain', 'stored as', 'row format', 'set', 'use',
] as const;

export const TYPES = ['tinyint', 'smallint', 'int', 'integer', 'bigint', 'float', 'double', 'decimal', 'string', 'varchar', 'char', 'boolean', 'date', 'timestamp', 'binary', 'array', 'map', 'struct'] as const;

/** Words that mean something else when they stand for a name without quotes. */
const RESERVED = new Set(
  ('all alter and array as between both by case cast char column create cross current cursor date datetime decimal delete desc describe distinct distribute double drop else end except exists explain extended external false fetch float following for from full function grant group grouping ' +
    'having if import in inner insert int intersect interval into is join lateral left less like local macro map more none not null of on or order out outer over partialscan partition percent preceding preserve procedure range reads reduce revoke right rollup row rows select set smallint ' +
    'sort table tablesample then timestamp to transform trigger true truncate unbounded union uniquejoin update user using utc_timestamp values varchar view when where window with')
    .split(' '),
);

/** The name as it must be written to run: Hive quotes names with backticks. */
export function quoteName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}

export const HIVE_DIALECT: Dialect = { keywords: KEYWORDS, quote: quoteName };
