/** Rows to flows between things. */
import { addExact, compareExact, ZERO, type Exact } from '@/lib/exact';
import { findCycle, largestLinks, LinkSum, type Link } from '../links';
import { Drawing, exactText, readNumber } from '../numbers';
import { nameOf, resolve, resolveLevels } from '../read';
import { cut } from '../tooltip';
import { fail, ok, type Note, type Outcome, type ResultTable } from '../types';
import type { SankeyOptions } from './options';

export interface Flow extends Link {
  readonly point: number;
}

export interface Station {
  /** Tells stations of one name at different stages apart. */
  readonly key: string;
  readonly name: string;
  readonly in: Exact;
  readonly out: Exact;
}

export interface SankeyModel {
  readonly stations: readonly Station[];
  readonly flows: readonly Flow[];
  readonly notes: readonly Note[];
}

/** Parts a station's key from its name; no text of a result holds it. */
const MARK = '\u0000';
export const nameOfKey = (key: string): string => key.slice(key.indexOf(MARK) + 1);

export function transform(table: ResultTable, options: SankeyOptions): Outcome<SankeyModel> {
  const value = resolve(table, { value: { column: options.value, part: 'value', numeric: true, optional: true } });
  if (!value.ok) return value;
  const ends = options.layout === 'stages' ? stageEnds(table, options) : linkEnds(table, options);
  if (!ends.ok) return ends;
  const sum = new LinkSum();
  for (const row of table.rows) {
    const exact = value.model.value < 0 ? { digits: 1n, scale: 0 } : readNumber(row[value.model.value], options.format);
    if (!exact || exact.digits === 0n) continue;
    for (const [first, second] of ends.model) {
      const [from, to] = [row[first.place] ?? null, row[second.place] ?? null];
      if (from === null || to === null) continue;
      if (exact.digits < 0n) return fail('negativeLink', { source: nameOf(from), target: nameOf(to) });
      sum.add(`${first.stage}${MARK}${nameOf(from)}`, `${second.stage}${MARK}${nameOf(to)}`, exact);
    }
  }
  const { kept, left, rest } = largestLinks(sum.links(), options.limit);
  if (kept.length === 0) return fail('noLinks');
  const cycle = findCycle(kept);
  if (cycle) return fail('sankeyCycle', { cycle: cycle.map((key) => cut(nameOfKey(key))).join(' → ') });
  const drawing = new Drawing();
  const flows = kept.map((link) => ({ ...link, point: drawing.number(link.value) }));
  const smaller: Note[] = left > 0 ? [{ code: 'linksCut', values: { drawn: kept.length, left, rest: exactText(rest, options) } }] : [];
  return ok({ stations: stationsOf(flows), flows, notes: [...drawing.notes(), ...smaller] });
}

interface End {
  readonly place: number;
  /** Stations of one name are one only within a stage. */
  readonly stage: string;
}

function linkEnds(table: ResultTable, options: SankeyOptions): Outcome<[End, End][]> {
  const columns = resolve(table, { source: { column: options.source, part: 'source' }, target: { column: options.target, part: 'target' } });
  if (!columns.ok) return columns;
  const { source, target } = columns.model;
  return ok([[{ place: source, stage: options.splitEnds ? '0' : '' }, { place: target, stage: options.splitEnds ? '1' : '' }]]);
}

function stageEnds(table: ResultTable, options: SankeyOptions): Outcome<[End, End][]> {
  if (options.stages.length < 2) return fail('fewStages');
  const places = resolveLevels(table, options.stages, 'stages');
  if (!places.ok) return places;
  return ok(places.model.slice(1).map((place, at): [End, End] => [{ place: places.model[at] ?? 0, stage: String(at) }, { place, stage: String(at + 1) }]));
}

function stationsOf(flows: readonly Flow[]): Station[] {
  const sums = new Map<string, { in: Exact; out: Exact }>();
  const at = (key: string) => {
    const known = sums.get(key) ?? { in: ZERO, out: ZERO };
    sums.set(key, known);
    return known;
  };
  for (const { source, target, value } of flows) {
    at(source).out = addExact(at(source).out, value);
    at(target).in = addExact(at(target).in, value);
  }
  const size = (station: Station) => (compareExact(station.in, station.out) > 0 ? station.in : station.out);
  return [...sums].map(([key, sum]) => ({ key, name: nameOfKey(key), ...sum })).sort((a, b) => compareExact(size(b), size(a)));
}
