/** Which tables, aliases and columns can be named at a place of a SQL text, read from the text even while it is unfinished. */
import { findTable, type Catalogue, type CatalogueColumn } from '../catalogue';
import { isSign, isWord, nameOf, statementAt, type Token } from './tokens';

export interface Source {
  /** Alias, or the table's own name. */
  readonly name: string;
  readonly kind: 'table' | 'cte' | 'subquery';
  readonly columns: readonly CatalogueColumn[];
}

export interface Scope {
  /** What FROM names in the innermost query around the place, then in the queries around that one. */
  readonly sources: readonly Source[];
  readonly ctes: readonly Source[];
}

const CLAUSE_END = ['where', 'group', 'having', 'order', 'limit', 'offset', 'fetch', 'union', 'intersect', 'except', 'window', 'qualify', 'select', 'from'];
const NO_ALIAS = [...CLAUSE_END, 'on', 'using', 'join', 'inner', 'left', 'right', 'full', 'cross', 'natural', 'lateral', 'as', 'with', 'tablesample', 'outer', 'semi', 'anti', 'and', 'or'];
const SET_OPERATORS = ['union', 'intersect', 'except'];

/** Index after the parenthesis that `open` opens, at most `end`. */
function closing(tokens: Token[], open: number, end: number): number {
  let depth = 0;
  for (let index = open; index < end; index++) {
    if (isSign(tokens[index], '(')) depth++;
    else if (isSign(tokens[index], ')') && --depth === 0) return index + 1;
  }
  return end;
}

/** Indices of the tokens of [start, end) outside every parenthesis; a group is represented by its `(`. */
function shallow(tokens: Token[], start: number, end: number): number[] {
  const found: number[] = [];
  for (let index = start; index < end; index++) {
    found.push(index);
    if (isSign(tokens[index], '(')) index = closing(tokens, index, end) - 1;
  }
  return found;
}

function readAlias(tokens: Token[], at: number, end: number): { alias: string | null; next: number } {
  const index = isWord(tokens[at], 'as') ? at + 1 : at;
  const name = index < end ? nameOf(tokens[index]) : null;
  if (name === null || (tokens[index]?.kind === 'word' && NO_ALIAS.includes(name))) return { alias: null, next: at };
  return { alias: name, next: index + 1 };
}

class Reader {
  constructor(
    private readonly tokens: Token[],
    private readonly catalogue: Catalogue,
  ) {}

  /** The CTEs at the start of a query, and where its body starts. */
  readWith(start: number, end: number, outer: readonly Source[]): { ctes: Source[]; body: number } {
    const { tokens } = this;
    const ctes = [...outer];
    if (!isWord(tokens[start], 'with')) return { ctes, body: start };
    let at = start + (isWord(tokens[start + 1], 'recursive') ? 2 : 1);
    while (at < end) {
      const name = nameOf(tokens[at]);
      if (name === null) break;
      at++;
      let named: string[] | null = null;
      if (isSign(tokens[at], '(')) {
        const close = closing(tokens, at, end);
        named = tokens.slice(at + 1, close - 1).flatMap((token) => nameOf(token) ?? []);
        at = close;
      }
      if (!isWord(tokens[at], 'as') || !isSign(tokens[at + 1], '(')) break;
      const close = closing(tokens, at + 1, end);
      const columns = this.outputOf(at + 2, isSign(tokens[close - 1], ')') ? close - 1 : close, ctes);
      ctes.unshift({ name, kind: 'cte', columns: named ? named.map((column, index) => ({ name: column, type: columns[index]?.type ?? '', doc: '' })) : columns });
      at = close;
      if (!isSign(tokens[at], ',')) break;
      at++;
    }
    return { ctes, body: at };
  }

  /** The parts of a query between UNION, INTERSECT and EXCEPT. */
  parts(start: number, end: number): [number, number][] {
    const cuts = shallow(this.tokens, start, end).filter((index) => isWord(this.tokens[index], ...SET_OPERATORS));
    const starts = [start, ...cuts.map((index) => index + 1)];
    return starts.map((from, index) => [from, cuts[index] ?? end]);
  }

  /** What the FROM clause of one part names. */
  sourcesOf(start: number, end: number, ctes: readonly Source[]): Source[] {
    const { tokens } = this;
    const sources: Source[] = [];
    let inFrom = false;
    let expects = false;
    for (let at = start; at < end; at++) {
      const token = tokens[at];
      if (isWord(token, 'from', 'join')) {
        inFrom = expects = true;
      } else if (isWord(token, ...CLAUSE_END)) {
        inFrom = expects = false;
      } else if (inFrom && isSign(token, ',')) {
        expects = true;
      } else if (expects && !isWord(token, 'lateral')) {
        expects = false;
        const read = this.readSource(at, end, ctes);
        if (read.source) sources.push(read.source);
        at = Math.max(at, read.next - 1);
      } else if (isSign(token, '(')) {
        at = closing(tokens, at, end) - 1;
      }
    }
    return sources;
  }

  private readSource(at: number, end: number, ctes: readonly Source[]): { source: Source | null; next: number } {
    const { tokens } = this;
    if (isSign(tokens[at], '(')) {
      const close = closing(tokens, at, end);
      const columns = this.outputOf(at + 1, isSign(tokens[close - 1], ')') ? close - 1 : close, ctes);
      const { alias, next } = readAlias(tokens, close, end);
      return { source: { name: alias ?? '', kind: 'subquery', columns }, next };
    }
    const path: string[] = [];
    let next = at;
    for (let name = nameOf(tokens[next]); name !== null && next < end; name = nameOf(tokens[next])) {
      path.push(...(tokens[next]?.text.startsWith('`') ? name.split('.') : [name]));
      next++;
      if (!isSign(tokens[next], '.')) break;
      next++;
    }
    const table = path.at(-1);
    if (table === undefined) return { source: null, next: at + 1 };
    if (isSign(tokens[next], '(')) next = closing(tokens, next, end);
    const read = readAlias(tokens, next, end);
    const cte = path.length === 1 ? ctes.find((one) => one.name === table) : undefined;
    const columns = cte?.columns ?? findTable(this.catalogue, path.at(-2) ?? null, table)?.columns ?? [];
    return { source: { name: read.alias ?? table, kind: cte ? 'cte' : 'table', columns }, next: read.next };
  }

  /** The columns a query gives, as far as its select list tells. */
  outputOf(start: number, end: number, outer: readonly Source[]): CatalogueColumn[] {
    const { tokens } = this;
    const { ctes, body } = this.readWith(start, end, outer);
    const [from, to] = this.parts(body, end)[0] ?? [body, end];
    if (!isWord(tokens[from], 'select')) return [];
    const sources = this.sourcesOf(from, to, ctes);
    const top = shallow(tokens, from + 1, to);
    const stop = top.find((index) => isWord(tokens[index], 'from')) ?? to;
    const columns: CatalogueColumn[] = [];
    let item: number[] = [];
    for (const index of [...top.filter((one) => one < stop), -1]) {
      if (index >= 0 && !isSign(tokens[index], ',')) item.push(index);
      else {
        columns.push(...this.itemColumns(item.map((one) => tokens[one]).filter((token) => token !== undefined), sources));
        item = [];
      }
    }
    return columns;
  }

  private itemColumns(given: Token[], sources: Source[]): CatalogueColumn[] {
    const item = isWord(given[0], 'distinct', 'all') ? given.slice(1) : given;
    const last = item.at(-1);
    if (!last) return [];
    if (isSign(last, '*') && (item.length === 1 || isSign(item.at(-2), '.'))) {
      const of = item.length > 1 ? nameOf(item.at(-3)) : null;
      return sources.filter((source) => of === null || source.name === of).flatMap((source) => source.columns);
    }
    const name = nameOf(last);
    if (name === null) return [];
    const reference = item.length === 1 || (item.length === 3 && isSign(item[1], '.'));
    const aliased = item.length > 1 && !reference && !isSign(item.at(-2), '.');
    const bare = aliased && isWord(item.at(-2), 'as') ? item.slice(0, -2) : aliased ? item.slice(0, -1) : item;
    const original = bare.length === 1 || (bare.length === 3 && isSign(bare[1], '.')) ? nameOf(bare.at(-1)) : null;
    const known = sources.flatMap((source) => source.columns).find((column) => column.name === original);
    return reference || aliased ? [{ name, type: known?.type ?? '', doc: known?.doc ?? '' }] : [];
  }

  /** Scope at an offset inside the query [start, end). */
  at(offset: number, start: number, end: number, outer: Scope): Scope {
    const { tokens } = this;
    const { ctes, body } = this.readWith(start, end, outer.ctes);
    const inWith = tokens[body] === undefined ? false : offset < tokens[body].from && body > start;
    const part = this.parts(body, end).findLast(([from]) => (tokens[from - 1]?.to ?? 0) <= offset) ?? [body, end];
    const own = inWith ? [] : this.sourcesOf(part[0], part[1], ctes);
    const here: Scope = { ctes, sources: [...own, ...outer.sources] };
    for (let index = start; index < end; index++) {
      const token = tokens[index];
      if (!token || !isSign(token, '(') || token.to > offset) continue;
      const close = closing(tokens, index, end);
      const closed = isSign(tokens[close - 1], ')') && close - 1 > index;
      if (closed && (tokens[close - 1]?.from ?? 0) < offset) {
        index = close - 1;
        continue;
      }
      const inner: [number, number] = [index + 1, closed ? close - 1 : close];
      if (isWord(tokens[index + 1], 'select', 'with')) return this.at(offset, ...inner, here);
    }
    return here;
  }
}

/** Scope at the offset; a CTE sees the ones before it, a subquery what is around it. */
export function scopeAt(text: string, offset: number, catalogue: Catalogue): Scope {
  const tokens = statementAt(text, offset);
  return new Reader(tokens, catalogue).at(offset, 0, tokens.length, { sources: [], ctes: [] });
}
