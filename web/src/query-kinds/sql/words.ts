/** Words of SQL: what is coloured and offered before (and beside) what the engine lists, and names that need quotes. */

export const KEYWORDS = [
  'select', 'distinct', 'from', 'where', 'group by', 'having', 'order by', 'limit', 'offset', 'with', 'recursive', 'as', 'join', 'inner join', 'left join', 'right join', 'full join', 'cross join', 'on', 'using',
  'union', 'union all', 'intersect', 'except', 'and', 'or', 'not', 'in', 'exists', 'between', 'like', 'ilike', 'is null', 'is not null', 'case', 'when', 'then', 'else', 'end', 'over', 'partition by', 'filter', 'asc', 'desc',
  'nulls first', 'nulls last', 'interval', 'cast', 'try_cast', 'extract', 'values', 'lateral', 'unnest', 'qualify', 'explain', 'true', 'false', 'null', 'rows', 'range', 'preceding', 'following', 'unbounded', 'current row',
] as const;

export const TYPES = ['bigint', 'int', 'integer', 'smallint', 'double', 'float', 'real', 'decimal', 'numeric', 'varchar', 'text', 'boolean', 'date', 'timestamp', 'time', 'interval', 'bytea'] as const;

/** Words that mean something else when they stand for a name without quotes. */
const RESERVED = new Set(
  ('all and any as asc between by case cast create cross current_date current_timestamp delete desc describe distinct drop else end except exists explain extract false fetch for from full group having ' +
    'in inner insert intersect interval into is join lateral left like limit natural not null offset on or order outer over partition qualify recursive right select set some table then to true union unique update using values when where window with')
    .split(' '),
);

/** The name as it must be written to run. */
export function quoteName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** What differs between the dialects that are written like SQL. */
export interface Dialect {
  readonly keywords: readonly string[];
  readonly quote: (name: string) => string;
}

export const SQL_DIALECT: Dialect = { keywords: KEYWORDS, quote: quoteName };
