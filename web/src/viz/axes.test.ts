import { expect, it } from 'vitest';
import type { ChartOption } from '@/ui/chart-look';
import '@/ui/chart';
import '@/ui/chart-more';
import { inMotion } from '@/ui/chart-motion';
import { svgText } from '@/ui/chart-svg';
import { drawing as bar } from './bar/drawing';
import { drawing as boxplot } from './boxplot/drawing';
import type { Drawing } from './drawing';
import { look, modelOf, problemOf, result } from './fixture';
import { drawing as funnel } from './funnel/drawing';
import { drawing as heatmap } from './heatmap/drawing';
import { drawing as line } from './line/drawing';
import { drawing as sankey } from './sankey/drawing';
import { drawing as scatter } from './scatter/drawing';
import type { ResultTable } from './types';

/** The texts of a chart as wide as on a page, drawn with its defaults and `change`. */
function texts<O extends object, M>({ defaults, transform, draw }: Drawing<O, M>, table: ResultTable, change: Partial<O> = {}, width = 900): string[] {
  const options = { ...defaults(table), ...change };
  const size = { width, height: 320 };
  const option: ChartOption = { ...inMotion(draw(modelOf(transform(table, options)), options, { ...look, ...size }, (word) => word), true), animation: false, useUTC: true };
  return [...svgText(option, size.width, size.height).matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
}

const times = (...rows: [string, string][]) => result([['time', 'timestamp'], ['wei', 'decimal(38,0)']], ...rows);
const wei = times(['2026-11-20 00:00:00', '9000000000000000000000'], ['2026-11-21 00:00:00', '21000000000000000000000']);
const kinds = result([['kind', 'varchar'], ['wei', 'decimal(38,0)']], ['call', '9000000000000000000000'], ['create', '21000000000000000000000']);

it.each([
  ['line', () => texts(line, wei)],
  ['bar', () => texts(bar, kinds)],
  ['scatter', () => texts(scatter, wei)],
  ['boxplot', () => texts(boxplot, kinds)],
] as const)('an axis of wei in a %s chart counts in the unit that people know', (_, drawn) => {
  const found = drawn();
  expect(found.filter((text) => text.includes('×10¹⁸'))).toHaveLength(1);
  expect(found.filter((text) => /^\d+k$/.test(text)).length).toBeGreaterThan(1);
  expect(found.filter((text) => /\de\d/.test(text))).toEqual([]);
});

it('two axes have a power of ten each', () => {
  const two = result([['day', 'date'], ['wei', 'decimal(38,0)'], ['txs', 'bigint']], ['2026-11-01', '9000000000000000000000', '5000000'], ['2026-11-02', '21000000000000000000000', '6000000']);
  const series = [{ name: 'txs', title: '', colour: 0, right: true }];
  const found = texts(line, two, { y: ['wei', 'txs'], series });
  expect(found.filter((text) => text === '×10¹⁸')).toHaveLength(1);
  expect(found).toEqual(expect.arrayContaining(['12k', '6M']));
  expect(texts(line, two, { y: ['wei', 'txs'], series: [{ name: 'wei', title: '', colour: 0, right: true }] }).filter((text) => text === '×10¹⁸')).toHaveLength(1);
});

it('a point that is alone says its whole time', () => {
  expect(texts(line, times(['2026-11-20 19:18:07', '5']))).toContain('2026-11-20 19:18:07');
});

it('an axis within one day says which', () => {
  const found = texts(line, times(['2026-11-20 08:00:00', '5'], ['2026-11-20 12:00:00', '7']));
  expect(found).toContain('11-20 10:00');
  expect(texts(scatter, times(['2026-11-20 08:00:00', '5'], ['2026-11-20 12:00:00', '7']))).toContain('11-20 10:00');
});

it('bars within one second have names of their own', () => {
  expect(texts(bar, times(['2026-11-20 08:00:00.001', '5'], ['2026-11-20 08:00:00.002', '7']))).toEqual(expect.arrayContaining(['11-20 08:00:00.001', '11-20 08:00:00.002']));
});

it('ticks that are close together still differ', () => {
  const found = texts(line, times(['2026-11-20 08:00:00', '150100'], ['2026-11-20 12:00:00', '151800'])).filter((text) => /^\d+(\.\d+)?k$/.test(text));
  expect(found.length).toBeGreaterThan(2);
  expect(new Set(found).size).toBe(found.length);
});

it('days follow each other on the axis of a line at one distance', () => {
  const days = Array.from({ length: 90 }, (_, at): [string, string] => [new Date(Date.UTC(2026, 7, 3 + at)).toISOString().slice(0, 10), '5']);
  const ticks = texts(line, times(...days)).filter((text) => /^\d\d-\d\d$/.test(text)).map((text) => Date.parse(`2026-${text}`));
  expect(ticks.length).toBeGreaterThan(3);
  expect(new Set(ticks.slice(1).map((tick, at) => tick - (ticks[at] ?? 0))).size).toBe(1);
});

it('a point between gaps is drawn, though no line leads to it', () => {
  const gaps = result([['day', 'date'], ['a', 'int'], ['b', 'int']], ['2026-11-01', 1, null], ['2026-11-02', null, 5], ['2026-11-03', 3, null], ['2026-11-04', null, 6], ['2026-11-05', null, 7]);
  const options = line.defaults(gaps);
  const sizes = ([] as unknown[]).concat(line.draw(modelOf(line.transform(gaps, options)), options, look, (word) => word).series ?? []).map((series) => {
    const { showSymbol, symbolSize } = series as { showSymbol: boolean; symbolSize: (value: unknown, at: { dataIndex: number }) => number };
    return showSymbol && [0, 1, 2, 3, 4].map((dataIndex) => symbolSize(null, { dataIndex }));
  });
  expect(sizes).toEqual([[5, 0, 5, 0, 0], [0, 5, 0, 0, 0]]);
});

it('without any number there is no chart, but a reason', () => {
  const nothing = result([['day', 'date'], ['a', 'int']], ['2026-11-01', null], ['2026-11-02', null]);
  for (const kind of [line, bar] as const) expect(problemOf(kind.transform(nothing, { ...kind.defaults(nothing), x: 'day', y: ['a'], group: '' } as never))).toEqual({ code: 'noPoints', values: { x: 'day', y: 'a' } });
});

it('names of flows are written whole, and of those that cover each other one', () => {
  const flows = (count: number) => result([['from_address', 'varchar'], ['to_address', 'varchar'], ['n', 'int']], ...Array.from({ length: count }, (_, at) => [`from ${at}`, `to ${at}`, 1]));
  expect(texts(sankey, flows(3))).toEqual(expect.arrayContaining(['from 0', 'to 2']));
  expect(texts(sankey, flows(45)).length).toBeLessThan(70);
});

it('the steps of a funnel keep their shares where a name is long, and all leave out their values', () => {
  const long = 'A very long label of a category that nobody would write';
  const steps = result([['step', 'varchar'], ['n', 'bigint']], [long, '1000'], ['second', '500']);
  const found = texts(funnel, steps, {}, 358);
  expect(found.find((text) => text.startsWith('A very'))).toMatch(/^A very.*… {2}100\.00%$/);
  expect(found).toContain('second  50.00%');
  expect(texts(funnel, result([['step', 'varchar'], ['n', 'bigint']], ['first', '1000'], ['second', '500']))).toContain('second  500  50.00%');
});

it('the times of a heatmap are not cut', () => {
  const table = result([['time', 'timestamp'], ['kind', 'varchar'], ['n', 'bigint']], ['2026-11-20 08:00:00', 'call', '5'], ['2026-11-20 09:00:00', 'call', '7']);
  expect(texts(heatmap, table)).toEqual(expect.arrayContaining(['11-20 08:00', '11-20 09:00']));
});

it('columns of quite another size are not drawn on the same axis by themselves', () => {
  const table = result([['day', 'date'], ['txs', 'bigint'], ['wei', 'decimal(38,0)'], ['blocks', 'bigint']], ['2026-11-01', '1800', '9000000000000000000000', '22'], ['2026-11-02', '1900', '21000000000000000000000', '24']);
  expect(line.defaults(table).y).toEqual(['txs', 'blocks']);
});
