// Results that are hard to draw, in every type that is drawn: there is a picture that can be read, or a reason why there is none.
import { describe, expect, it } from 'vitest';
import type { Cell } from '@/lib/columns';
import '@/ui/chart';
import '@/ui/chart-more';
import { inMotion } from '@/ui/chart-motion';
import { svgText } from '@/ui/chart-svg';
import { drawing as area } from './area/drawing';
import { drawing as bar } from './bar/drawing';
import { draw as drawSpace } from './bar3d/draw';
import { defaults as spaceDefaults } from './bar3d/options';
import { transform as spaceTransform } from './bar3d/transform';
import { drawing as boxplot } from './boxplot/drawing';
import type { Drawing } from './drawing';
import { look, result } from './fixture';
import { drawing as funnel } from './funnel/drawing';
import { drawing as gauge } from './gauge/drawing';
import { drawing as graph } from './graph/drawing';
import { drawing as heatmap } from './heatmap/drawing';
import { drawing as line } from './line/drawing';
import { drawing as parallel } from './parallel/drawing';
import { drawing as pie } from './pie/drawing';
import { drawing as radar } from './radar/drawing';
import { drawing as sankey } from './sankey/drawing';
import { drawing as scatter } from './scatter/drawing';
import { drawing as sunburst } from './sunburst/drawing';
import { drawing as themeRiver } from './themeRiver/drawing';
import { drawing as tree } from './tree/drawing';
import type { ResultTable } from './types';

type Any = Drawing<Record<string, unknown>, unknown>;
const columns = {
  area: { x: 'day', y: ['n'], combine: 'sum' },
  bar: { x: 'who', y: ['n'], combine: 'sum' },
  boxplot: { category: 'who', value: 'n' },
  funnel: { step: 'who', value: 'n' },
  gauge: { value: 'n' },
  graph: { source: 'who', target: 'whom', weight: 'n' },
  heatmap: { x: 'who', y: 'whom', value: 'n', combine: 'sum' },
  line: { x: 'day', y: ['n'], combine: 'sum' },
  parallel: { dimensions: ['day', 'n', 'm'] },
  pie: { category: 'who', value: 'n' },
  radar: { name: 'who', indicators: ['n', 'm', 'o'] },
  sankey: { source: 'who', target: 'whom', value: 'n' },
  scatter: { x: 'm', y: 'n', name: 'who' },
  sunburst: { path: ['who', 'whom'], value: 'n' },
  themeRiver: { time: 'day', name: 'who', value: 'n', combine: 'sum' },
  tree: { path: ['who', 'whom'], value: 'n' },
};
const drawings = { area, bar, boxplot, funnel, gauge, graph, heatmap, line, parallel, pie, radar, sankey, scatter, sunburst, themeRiver, tree } as unknown as Record<keyof typeof columns, Any>;
const size = { width: 900, height: 320 };
const word = (key: string) => key;

/** The texts of the picture; null where there is none, but a reason. */
function texts(type: keyof typeof columns, table: ResultTable): string[] | null {
  const { defaults, transform, draw } = drawings[type];
  const options = { ...defaults(table), ...columns[type] };
  const outcome = transform(table, options);
  if (!outcome.ok) {
    expect(outcome.problem.code).toBeTruthy();
    return null;
  }
  const option = inMotion(draw(outcome.model, options, { ...look, ...size }, word), true);
  const svg = svgText({ ...option, animation: false, useUTC: true }, size.width, size.height);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
}

const day = (at: number) => new Date(Date.UTC(2010, 0, 1 + at)).toISOString().slice(0, 10);
const table = (rows: number, cell: (at: number) => [who: Cell, whom: Cell, n: Cell]) =>
  result(
    [['day', 'date'], ['who', 'varchar'], ['whom', 'varchar'], ['n', 'uint256'], ['m', 'double'], ['o', 'bigint']],
    ...Array.from({ length: rows }, (_, at): Cell[] => { const [who, whom, n] = cell(at); return [day(at), who, whom, n, at / 3, String(at)]; }),
  );
const huge = (2n ** 200n).toString();
const long = 'A name that has three hundred signs and goes on. '.repeat(7).slice(0, 300);
const results: Record<string, ResultTable> = {
  'no row': table(0, () => ['a', 'b', '1']),
  'one row': table(1, () => ['a', 'b', '7']),
  '5,000 rows': table(5_000, (at) => [`w${at}`, `to ${at % 4_999}`, String((at * 7_919) % 5_003)]),
  'nothing but null': table(3, () => [null, null, null]),
  'some null': table(6, (at) => [at % 2 === 0 ? null : 'a', at % 3 === 0 ? null : `b${at}`, at % 4 === 0 ? null : '5']),
  'numbers below zero': table(5, (at) => [`w${at}`, `to ${at}`, String(3 - 2 * at)]),
  'only zeros': table(5, (at) => [`w${at}`, `to ${at}`, '0']),
  'huge numbers': table(5, (at) => [`w${at}`, `to ${at}`, (BigInt(huge) * BigInt(at + 1)).toString()]),
  'one huge number': table(1, () => ['a', 'b', huge]),
  'numbers far below zero': table(4, (at) => [`w${at}`, `to ${at}`, (-BigInt(huge) * BigInt(at + 1)).toString()]),
  'long names': table(4, (at) => [`${at} ${long}`, `to ${at} ${long}`, String(at + 1)]),
  'names from right to left, of Chinese and of pictures': table(4, (at) => [['שלום עולם', 'مرحبا', '以太坊地址', '👩‍👩‍👧‍👦🏳️‍🌈'][at] ?? '', ['יעד', 'هدف', '目标', '🎯'][at] ?? '', String(at + 1)]),
};
const types = Object.keys(columns) as (keyof typeof columns)[];

describe.each(Object.entries(results))('%s', (name, rows) => {
  it.each(types)('as %s', (type) => {
    const found = texts(type, rows);
    if (name === 'one row' || name === '5,000 rows' || name === 'long names' || name.startsWith('names')) expect(found === null).toBe(name === 'one row' && (type === 'funnel' || type === 'themeRiver'));
    // So many can be read, and none takes the place of all others.
    expect(found?.length ?? 0).toBeLessThan(160);
    for (const text of found ?? []) expect(Array.from(text).length, text).toBeLessThan(60);
  });

  it('as bars in space', () => {
    const options = { ...spaceDefaults(rows), x: 'who', y: 'whom', value: 'n', combine: 'sum' as const };
    const outcome = spaceTransform(rows, options);
    if (!outcome.ok) return;
    expect(outcome.model.cells.length).toBeLessThanOrEqual(1_600);
    expect(JSON.stringify(drawSpace(outcome.model, options, { ...look, ...size }))).not.toMatch(/null,null|NaN/);
  });
});

it('a board of 5,000 rows in every type is laid out within seconds', () => {
  const start = performance.now();
  for (const type of types) texts(type, results['5,000 rows'] as ResultTable);
  expect(performance.now() - start).toBeLessThan(30_000);
});
