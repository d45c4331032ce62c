import { describe, expect, it } from 'vitest';
import type { ChartLook, ChartOption } from '@/ui/chart-look';
import { drawing as area } from './area/drawing';
import { drawing as bar } from './bar/drawing';
import { draw as drawBars } from './bar3d/draw';
import { defaults as barsDefaults } from './bar3d/options';
import { transform as barsTransform } from './bar3d/transform';
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

const bar3d = { defaults: barsDefaults, transform: barsTransform, draw: drawBars };
const page: ChartLook = { ...look, width: 900, height: 400, still: false };

/** What a formatter writes for the first thing of a chart, however it is asked. */
function asked(formatter: (question: unknown) => unknown, first: unknown): unknown[] {
  const question = { seriesIndex: 0, dataIndex: 0, name: 'call', value: first, data: first };
  const questions = [question, [question], 12_345.678];
  return questions.map((one) => {
    try {
      return formatter(one);
    } catch {
      // It is asked in another way.
      return null;
    }
  });
}

/** A drawing as text, with what its formatters write. */
function described(option: ChartOption): string {
  const series: unknown = [option.series].flat()[0];
  const first = [(series as { data?: unknown } | undefined)?.data].flat()[0];
  return JSON.stringify(option, (_, value: unknown) => (typeof value === 'function' ? asked(value as (question: unknown) => unknown, first) : typeof value === 'bigint' ? String(value) : value));
}

function drawnWith<O extends object, M>({ defaults, transform, draw }: Pick<Drawing<O, M>, 'defaults' | 'transform' | 'draw'>, table: ResultTable, change: object): string {
  const options = { ...defaults(table), ...change };
  const outcome = transform(table, options);
  if (!outcome.ok) return JSON.stringify(outcome.problem);
  const { notes } = outcome.model as { notes?: unknown };
  return described(draw(outcome.model, options, page, (word) => word)) + JSON.stringify(notes);
}

const kinds = result(
  [['day', 'date'], ['kind', 'varchar'], ['token', 'varchar'], ['n', 'double'], ['m', 'double']],
  ['2026-11-01', 'call', 'weth', '5.1234567', '2.5'],
  ['2026-11-01', 'create', 'usdc', '7.5', '1'],
  ['2026-11-02', 'call', 'dai', '11.25', '3'],
  ['2026-11-04', 'swap', 'weth', '3', '4'],
  ['2026-11-05', 'call', 'usdc', '0.01', '5'],
);
const series = [{ name: 'call', title: 'Calls', colour: 4, right: false }];
const numbers = { format: 'eth', decimals: 2, unit: 'USD' };
const cartesian = { x: 'token', y: ['m'], group: '', combine: 'sum', missing: 'connect', limit: 2, ...numbers, legend: false, labels: true, axisTitle: 'Title', series, referenceLines: [{ value: '4', label: 'Goal' }] };
const links = result([['source', 'varchar'], ['target', 'varchar'], ['n', 'double'], ['m', 'int'], ['kind', 'varchar']], ['a', 'b', '1.23456', 3, 'call'], ['b', 'c', '7', 2, 'swap'], ['a', 'c', '2', 9, 'call']);
const ids = result([['id', 'varchar'], ['parent', 'varchar'], ['label', 'varchar'], ['n', 'double'], ['top', 'varchar'], ['sub', 'varchar']], ['a', null, 'All', '9.87654', 'x', 'p'], ['b', 'a', 'Some', '3.5', 'x', 'q'], ['c', 'a', 'Others', '4', 'y', 'p']);
const five = result([['kind', 'varchar'], ['min', 'double'], ['q1', 'double'], ['median', 'double'], ['q3', 'double'], ['max', 'double'], ['n', 'double']], ...['call', 'swap'].map((kind, at) => [kind, '1.5', '2', `3.${at + 1}2345`, '4', '50.5', String(at + 1)]));
const spread = result([['kind', 'varchar'], ['token', 'varchar'], ['n', 'double'], ['m', 'double'], ['step', 'varchar']], ...Array.from({ length: 24 }, (_, at) => [at % 2 ? 'call' : 'swap', at % 3 ? 'weth' : 'dai', at === 20 ? '900.12345' : `${at + 1}.5`, String(at), `s${at % 4}`]));
const hierarchy = { layout: 'path', id: 'label', parent: 'top', name: '', value: '', ...numbers };

/** Of each type: the rows, what the builder can set, and what has to be set so that it counts. */
const cases: Record<string, readonly [Pick<Drawing<never, never>, 'defaults' | 'transform' | 'draw'>, ResultTable, object, Record<string, object>]> = {
  bar: [bar as never, kinds, { ...cartesian, stack: 'none', horizontal: true, log: true, sort: 'falling', top: 2 }, { '': { x: 'day', group: 'kind' }, sort: { x: 'token', group: '', combine: 'sum' }, top: { x: 'token', group: '', combine: 'sum' }, log: { stack: 'none' }, combine: { x: 'token', group: '' } }],
  line: [line as never, kinds, { ...cartesian, log: true, points: true, smooth: true, step: 'end' }, { '': { group: 'kind' }, combine: { group: '' } }],
  area: [area as never, kinds, { ...cartesian, stack: 'percent', log: true, opacity: 40, smooth: true }, { '': { group: 'kind' }, log: { stack: 'none' }, combine: { group: '' } }],
  pie: [pie as never, kinds, { category: 'token', value: 'm', combine: 'refuse', sort: 'rising', top: 2, minShare: 40, ...numbers, shape: 'rose', label: 'value', legend: false, series }, {}],
  scatter: [scatter as never, kinds, { x: 'day', y: 'n', size: 'm', group: '', name: 'token', ...numbers, xFormat: 'eth', xLog: true, yLog: true, regression: true, opacity: 20, smallest: 9, largest: 70, legend: false, series }, { '': { x: 'n', y: 'm', group: 'kind' }, largest: { size: 'm' } }],
  radar: [radar as never, spread, { layout: 'long', name: 'token', indicators: ['n'], indicator: 'token', value: 'm', combine: 'refuse', limit: 1, ...numbers, scale: 'shared', outline: 'circle', filled: false, legend: false, series }, { '': { layout: 'wide', name: 'kind', indicators: ['n', 'm', 'n'], combine: 'sum' }, indicator: { layout: 'long', name: 'kind', indicator: 'step', combine: 'sum' }, value: { layout: 'long', name: 'kind', indicator: 'step', value: 'n', combine: 'sum' } }],
  funnel: [funnel as never, kinds, { step: 'token', value: 'm', combine: 'max', sort: 'rising', percent: 'previous', limit: 2, ...numbers, orient: 'horizontal', align: 'left', gap: 9, legend: true, series }, { '': { combine: 'sum', step: 'kind' } }],
  heatmap: [heatmap as never, kinds, { layout: 'calendar', x: 'token', y: 'token', value: 'm', combine: 'sum', palette: 'diverging', min: '-1', max: '99', steps: true, labels: true, legend: false, ...numbers }, { '': { x: 'day', y: 'kind', value: 'n' }, combine: { x: 'kind', y: 'kind' }, layout: { combine: 'sum' } }],
  bar3d: [bar3d as never, kinds, { x: 'token', y: 'token', value: 'm', combine: 'sum', shading: 'realistic', rotate: true, colourByValue: false, bevel: 30, tilt: 60, turn: 10, legend: false, ...numbers }, { '': { x: 'day', y: 'kind', value: 'n' }, combine: { x: 'kind', y: 'kind' } }],
  boxplot: [boxplot as never, spread, { layout: 'five', category: 'token', value: 'm', whiskers: 'minMax', outliers: false, horizontal: true, log: true, ...numbers }, {}],
  fiveNumbers: [boxplot as never, five, { lowest: 'n', lowerQuartile: 'min', median: 'q1', upperQuartile: 'max', highest: 'q3' }, {}],
  parallel: [parallel as never, kinds, { dimensions: ['n', 'm'], group: 'token', inverted: ['n'], logarithmic: ['n'], smooth: true, opacity: 80, legend: false, series }, {}],
  tree: [tree as never, ids, { ...hierarchy, path: ['sub'], orient: 'down', radial: true, depth: 1, joinRoots: true, curved: false }, { path: { layout: 'path', path: ['top', 'sub'], joinRoots: true }, joinRoots: { layout: 'path', path: ['top'] }, depth: { layout: 'path', path: ['top', 'sub', 'label'], joinRoots: true } }],
  sankey: [sankey as never, links, { layout: 'stages', source: 'kind', target: 'kind', stages: ['kind', 'source'], value: '', ...numbers, splitEnds: true, limit: 1, orient: 'vertical', align: 'left', gap: 30, linkColour: 'grey', labels: false, series: [{ ...series[0], name: 'a' }] }, { stages: { layout: 'stages', stages: ['source', 'target'] } }],
  sunburst: [sunburst as never, ids, { ...hierarchy, path: ['sub'], sort: 'none', label: 'none', depth: 1, zoom: false, series: [{ ...series[0], name: 'All' }] }, { path: { layout: 'path', path: ['top', 'sub'] } }],
  themeRiver: [themeRiver as never, { ...kinds, rows: [...kinds.rows, ['2026-11-05', 'call', 'usdc', '1', '2']] }, { time: 'token', value: 'm', name: 'token', combine: 'refuse', limit: 2, labels: true, legend: false, ...numbers, series }, {}],
  graph: [graph as never, links, { layout: 'objects', source: 'kind', target: 'source', weight: 'm', category: '', arrange: 'circular', sizeBy: 'weight', limit: 1, arrows: false, labels: 'none', repulsion: 300, gravity: 60, edgeLength: 200, legend: false, ...numbers, series }, {}],
  gauge: [gauge as never, kinds, { value: 'm', row: 2, min: '-10', max: '99', target: '6', fairFrom: 30, poorFrom: 60, startAngle: 180, endAngle: 0, progress: false, pointer: true, label: 'Label', ...numbers }, { pointer: { progress: true } }],
};

describe.each(Object.entries(cases))('every option of %s', (_, [drawing, table, changes, given]) => {
  it.each(Object.entries(changes))('%s changes the drawing', (key, value) => {
    const base = { ...given[''], ...given[key] };
    expect(drawnWith(drawing, table, { ...base, [key]: value as unknown })).not.toBe(drawnWith(drawing, table, base));
  });
});
