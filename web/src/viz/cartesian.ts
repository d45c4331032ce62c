/** Series over an x axis as a chart option: axes, legend, tooltip and colours by the design's rules. */
import { addExact, ratioExact, sumExact, ZERO, type Exact } from '@/lib/exact';
import { drawExact, groupExact } from '@/lib/exact';
import type { ChartLook, ChartOption } from '@/ui/chart';
import { nameLabels } from './axis-names';
import type { CartesianOptions } from './cartesian-options';
import type { Words } from './define';
import { exactCell, numberColumn, textColumn, type DrawnTable } from './drawn';
import { colourOf, lookOf, referenceValues, titleOf } from './looks';
import { axisHead, axisScale, exactText, labelText, tickText, unitOf, type AxisScale } from './numbers';
import { isEven, timeLabel, timeTexts, timeTicks } from './periods';
import type { Series, SeriesModel } from './series';
import { cut, legendOption, tooltipHtml, tooltipLook } from './tooltip';
import type { Note } from './types';

/** How one of the three is drawn beyond what they share. */
export interface CartesianStyle {
  readonly kind: 'bar' | 'line';
  readonly stack: 'none' | 'stack' | 'percent';
  readonly horizontal: boolean;
  readonly points: boolean;
  readonly smooth: boolean;
  readonly step: 'none' | 'start' | 'middle' | 'end';
  /** 0 to 100; how strongly the area under a line is filled. */
  readonly fill: number;
}

const MANY = 60;
/** About what the numbers of the value axis take of the width. */
const VALUES = 70;

/** Each value as a percentage of its x, with four places; null where there is no value. */
export function percentages(model: SeriesModel): (Exact | null)[][] {
  const totals = model.labels.map((_, at) => sumExact(model.series.flatMap((series) => series.values[at] ?? [])));
  return model.series.map((series) => series.values.map((value, at) => value && (ratioExact({ digits: value.digits * 100n, scale: value.scale }, totals[at] ?? ZERO, 4) ?? ZERO)));
}

/** Values at or below zero have no place on a logarithmic axis: the drawing leaves them out, and says so. */
export function logNotes(model: SeriesModel, log: boolean): Note[] {
  const hidden = log ? model.series.flatMap((series) => series.values.filter((value) => value !== null && value.digits <= 0n)).length : 0;
  return hidden > 0 ? [{ code: 'logHidden', values: { count: hidden } }] : [];
}

export function seriesTitle(series: Series, options: CartesianOptions, words: Words): string {
  return series.other ? words('other') : titleOf(options.series, series.name);
}

export function labelAt(model: SeriesModel, at: number, words: Words): string {
  if (model.restAtEnd && at === model.labels.length - 1) return words('other');
  return model.labels[at] ?? '';
}

/** The numbers of the series, one row per x. */
export function drawnSeries(model: SeriesModel, options: CartesianOptions, words: Words): DrawnTable {
  const columns = model.series.map((series) => numberColumn(seriesTitle(series, options, words), options));
  return {
    // A word for all others among the names is none of the column's values.
    columns: [model.restAtEnd ? textColumn(options.x) : { name: options.x, type: model.axisType }, ...columns],
    rows: model.labels.map((_, at) => [labelAt(model, at, words), ...model.series.map((series) => exactCell(series.values[at] ?? null))]),
  };
}

export function cartesianOption(model: SeriesModel, options: CartesianOptions, style: CartesianStyle, look: ChartLook, words: Words): ChartOption {
  const percent = style.stack === 'percent';
  const log = options.log && style.stack === 'none';
  const shares = percent ? percentages(model) : [];
  const right = percent || style.horizontal ? [] : model.series.map((series) => lookOf(options.series, series.name).right);
  // A point alone has its own place: an axis around it would say what is beside it.
  const scattered = style.kind === 'line' && model.axis !== 'category' && model.positions.length > 1 && !(model.axis === 'time' && isEven(model.positions));
  const many = model.labels.length > MANY;
  const scales = [false, true].map((side) => (percent || log ? tickScale : axisScale(reach(model, style.stack !== 'none', (index) => (right[index] ?? false) === side), !fromLowest(style))));
  const [scale = tickScale, rightScale = tickScale] = scales;
  const head = axisHead(options.axisTitle, scale, percent ? '%' : unitOf(options));
  const showLegend = options.legend && model.series.length > 1;
  const key = keyAxis(model, style, look, words, scattered);
  const value = valueAxis(style, look, { log, percent, head, scale });
  const values = right.includes(true) ? [value, { ...valueAxis(style, look, { log, percent, head: rightScale.power, scale: rightScale }), nameTextStyle: { ...value.nameTextStyle, align: 'right' as const }, position: 'right' as const, splitLine: { show: false } }] : value;
  const top = (showLegend ? 34 : 12) + (head === '' && !(right.includes(true) && rightScale.power !== '') ? 0 : 14);
  return {
    grid: { left: 8, right: many && style.horizontal ? 44 : 16, top, bottom: many && !style.horizontal ? 44 : 8, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    legend: legendOption(look, showLegend, style.kind === 'bar' || style.fill > 0 ? 'roundRect' : undefined),
    tooltip: { ...tooltipLook(look), trigger: 'axis', axisPointer: { type: style.kind === 'bar' ? 'shadow' : 'line' }, formatter: tooltip(model, options, style, shares, look, words) },
    dataZoom: many ? zoom(model, style, look) : [],
    xAxis: style.horizontal ? value : key,
    yAxis: style.horizontal ? key : values,
    series: model.series.map((series, index) => oneSeries(model, options, style, look, { series, index, share: shares[index], scattered, log, right: right[index] ?? false, title: seriesTitle(series, options, words) })),
  } as ChartOption;
}

/** What shows a part of a long axis; names, which say nothing side by side without room, begin with the first that can be read. */
function zoom(model: SeriesModel, style: CartesianStyle, look: ChartLook) {
  const { horizontal } = style;
  const readable = horizontal ? Math.max(8, Math.floor((look.height - 40) / (1.6 * look.fontSize))) : MANY;
  const named = model.axis === 'category' && style.kind === 'bar' && model.labels.length > readable;
  const part = { ...(named ? { startValue: 0, endValue: readable - 1 } : {}), [horizontal ? 'yAxisIndex' : 'xAxisIndex']: 0 };
  const place = horizontal ? { orient: 'vertical', width: 18, right: 8, top: 24, bottom: 24, showDetail: false } : { height: 18, bottom: 8 };
  const dress = { borderColor: look.line, textStyle: { color: look.soft, fontSize: look.fontSize }, brushSelect: false };
  return [{ type: 'slider', ...place, ...dress, ...part }, { type: 'inside', zoomOnMouseWheel: 'ctrl', ...part }];
}

function keyAxis(model: SeriesModel, style: CartesianStyle, look: ChartLook, words: Words, scattered: boolean) {
  const label = { color: look.soft, fontSize: look.fontSize, hideOverlap: true };
  const bare = { axisLine: { lineStyle: { color: look.line } }, axisTick: { show: false }, splitLine: { show: false } };
  if (scattered && model.axis === 'time') return { ...bare, type: 'time', axisLabel: { ...label, formatter: timeTexts(model.positions) } };
  if (scattered) return { ...bare, type: 'value', scale: true, axisLabel: { ...label, formatter: tickText } };
  const texts = model.axis === 'time' ? timeTicks(model.positions) : model.labels.map((_, at) => cut(labelAt(model, at, words), style.horizontal ? 22 : 18));
  const named = model.axis === 'category' && !style.horizontal ? nameLabels(texts, look, look.width - VALUES) : {};
  return { ...bare, type: 'category', data: texts, inverse: style.horizontal, boundaryGap: style.kind === 'bar', axisLabel: { ...label, ...named } };
}

/** The numbers that an axis has to reach: those of its series, or where they stand on each other their sums. */
function reach(model: SeriesModel, stacked: boolean, on: (index: number) => boolean): (number | null)[] {
  const series = model.series.filter((_, index) => on(index));
  return stacked ? model.labels.map((_, at) => series.reduce((sum, { points }) => sum + Math.abs(points[at] ?? 0), 0)) : series.flatMap(({ points }) => points);
}

/** Lines alone may leave zero out: nothing in them is as high as its value. */
const fromLowest = (style: CartesianStyle): boolean => style.kind === 'line' && style.stack === 'none' && style.fill === 0;

const tickScale: AxisScale = { power: '', tick: tickText };

function valueAxis(style: CartesianStyle, look: ChartLook, { log, percent, head, scale }: { log: boolean; percent: boolean; head: string; scale: AxisScale }) {
  return {
    type: log ? 'log' : 'value',
    splitNumber: 4,
    scale: fromLowest(style),
    max: percent ? 100 : undefined,
    name: head,
    nameTextStyle: { color: look.soft, fontSize: look.fontSize, align: style.horizontal ? 'right' : 'left' },
    axisLabel: { color: look.soft, fontSize: look.fontSize, hideOverlap: true, formatter: scale.tick },
    axisLine: { show: false },
    splitLine: { lineStyle: { color: look.line } },
  };
}

interface OneSeries {
  series: Series;
  index: number;
  share: readonly (Exact | null)[] | undefined;
  scattered: boolean;
  log: boolean;
  right: boolean;
  title: string;
}

function oneSeries(model: SeriesModel, options: CartesianOptions, style: CartesianStyle, look: ChartLook, { series, index, share, scattered, log, right, title }: OneSeries) {
  const colour = colourOf(options.series, look, series.name, index, series.other);
  const drawn = share ? share.map((value) => value && drawExact(value).value) : series.points;
  const points = log ? drawn.map((point) => (point !== null && point > 0 ? point : null)) : [...drawn];
  const stacked = style.stack !== 'none';
  const label = {
    show: options.labels,
    position: style.kind === 'line' || !stacked ? (style.horizontal ? 'right' : 'top') : 'inside',
    color: stacked && style.kind === 'bar' ? look.surface : look.text,
    fontSize: look.fontSize,
    formatter: ({ dataIndex }: { dataIndex: number }) => (share ? `${groupExact(share[dataIndex] ?? ZERO)}%` : labelText(series.values[dataIndex] ?? null, options)),
  };
  const common = {
    name: title,
    color: colour,
    data: scattered ? points.map((value, at) => [model.positions[at] ?? 0, value]) : points,
    stack: stacked ? (right ? 'right' : 'all') : undefined,
    yAxisIndex: right ? 1 : 0,
    label,
    labelLayout: { hideOverlap: true },
    emphasis: { focus: 'series' },
    markLine: index === 0 ? referenceLines(options, style, look) : undefined,
  };
  if (style.kind === 'bar') {
    const itemStyle = stacked ? { borderColor: look.surface, borderWidth: model.labels.length > 120 ? 0 : 0.5 } : { borderRadius: style.horizontal ? [0, 2, 2, 0] : [2, 2, 0, 0] };
    return { ...common, type: 'bar', barMaxWidth: 48, large: model.labels.length > 5_000, itemStyle };
  }
  const late = index >= 6;
  const alone = isolated(points, options.missing === 'connect');
  const everywhere = style.points || options.labels || (late && model.labels.length <= MANY);
  return {
    ...common,
    type: 'line',
    connectNulls: options.missing === 'connect',
    showSymbol: everywhere || alone.size > 0,
    symbol: ['circle', 'rect', 'triangle', 'diamond'][index % 4],
    symbolSize: everywhere || alone.size === 0 ? 5 : (_: unknown, { dataIndex }: { dataIndex: number }) => (alone.has(dataIndex) ? 5 : 0),
    smooth: style.smooth ? 0.3 : false,
    step: style.step === 'none' ? false : style.step,
    sampling: model.labels.length > 2_000 ? 'lttb' : undefined,
    lineStyle: { width: style.fill > 0 && stacked ? 1 : 2, color: style.fill > 0 && stacked ? look.surface : colour, type: late && style.fill === 0 ? 'dashed' : 'solid' },
    areaStyle: style.fill > 0 ? { color: colour, opacity: style.fill / 100 } : undefined,
  };
}

/** Points without a neighbour: no line leads to them, so they need a sign of their own. */
function isolated(points: readonly (number | null)[], connected: boolean): Set<number> {
  const known = points.flatMap((point, at) => (point === null ? [] : [at]));
  return new Set(connected ? (known.length === 1 ? known : []) : known.filter((at, place) => known[place - 1] !== at - 1 && known[place + 1] !== at + 1));
}

function referenceLines(options: CartesianOptions, style: CartesianStyle, look: ChartLook) {
  const lines = referenceValues(options.referenceLines);
  if (lines.length === 0) return undefined;
  return {
    silent: true,
    symbol: 'none',
    lineStyle: { color: look.strong, type: 'dashed', width: 1 },
    label: { position: 'insideEndTop', color: look.strong, fontSize: look.fontSize, formatter: ({ dataIndex }: { dataIndex: number }) => lines[dataIndex]?.label || labelText(lines[dataIndex]?.value ?? null, options) },
    data: lines.map(({ value }) => ({ [style.horizontal ? 'xAxis' : 'yAxis']: drawExact(value).value })),
  };
}

function tooltip(model: SeriesModel, options: CartesianOptions, style: CartesianStyle, shares: readonly (readonly (Exact | null)[])[], look: ChartLook, words: Words) {
  return (items: unknown): string => {
    const [first] = Array.isArray(items) ? (items as { dataIndex: number }[]) : [];
    if (!first) return '';
    const at = first.dataIndex;
    const position = model.positions[at];
    const head = model.axis === 'time' && position !== undefined ? `${timeLabel(position)} UTC` : labelAt(model, at, words);
    const order = style.stack === 'none' ? model.series : [...model.series].reverse();
    const lines = order.map((series) => {
      const index = model.series.indexOf(series);
      const share = shares[index]?.[at];
      const value = series.values[at] ?? null;
      return { colour: colourOf(options.series, look, series.name, index, series.other), name: seriesTitle(series, options, words), value: exactText(value, options) + (share ? ` (${groupExact(share)}%)` : '') };
    });
    const known = model.series.flatMap((series) => series.values[at] ?? []);
    const total = style.stack !== 'none' && known.length > 1 ? [{ name: words('total'), value: exactText(known.reduce(addExact, ZERO), options) }] : [];
    return tooltipHtml(head, [...lines, ...total]);
  };
}
