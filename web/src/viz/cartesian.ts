/** Series over an x axis as a chart option: axes, legend, tooltip and colours by the design's rules. */
import { compactExact, groupExact, parseExact, type Exact } from '@/lib/exact';
import { isEtherUnit, unitName, type NumberFormat } from '@/lib/columns';
import type { ChartLook, ChartOption } from '@/ui/chart';
import { shortTimeLabel, timeLabel } from './periods';
import type { Series, SeriesModel } from './series';

export interface CartesianStyle {
  readonly kind: 'bar' | 'line';
  readonly stack: 'none' | 'stack' | 'percent';
  readonly horizontal: boolean;
  readonly connect: boolean;
  readonly points: boolean;
  readonly legend: boolean;
  readonly format: NumberFormat;
  /** Name of the series that holds what the limit cut off. */
  readonly otherName: string;
}

const SLATE = 8;
/** How a time axis writes its ticks, by what they stand for. */
const TIME_TEXTS = { year: '{yyyy}', month: '{yyyy}-{MM}', day: '{MM}-{dd}', hour: '{HH}:{mm}', minute: '{HH}:{mm}', second: '{HH}:{mm}:{ss}' };
const DAY = 86_400_000;

/** Colours in their order; slate is kept for "other". From the seventh line on, dashes and markers tell series apart too. */
function seriesColour(look: ChartLook, series: Series, index: number): string {
  const place = series.other ? SLATE : index >= SLATE ? index + 1 : index;
  return look.series[place % look.series.length] ?? look.text;
}

/** A number as tooltips and tables show it. */
export function valueText(value: Exact | null, format: NumberFormat): string {
  if (!value) return 'null';
  if (format === 'compact') return compactExact(value);
  const unit = isEtherUnit(format) ? ` ${unitName(format)}` : '';
  return groupExact(value) + unit;
}

export function axisText(value: number): string {
  const exact = parseExact(value);
  return exact ? compactExact(exact) : '';
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function tooltip(model: SeriesModel, style: CartesianStyle, shares: readonly (readonly (number | null)[])[], look: ChartLook) {
  return (items: unknown): string => {
    const [first] = Array.isArray(items) ? (items as { dataIndex: number }[]) : [];
    if (!first) return '';
    const at = first.dataIndex;
    const position = model.positions[at];
    const head = model.axis === 'time' && position !== undefined ? `${timeLabel(position)} UTC` : (model.labels[at] ?? '');
    const order = style.stack === 'none' ? model.series : [...model.series].reverse();
    const lines = order.map((series) => {
      const index = model.series.indexOf(series);
      const share = style.stack === 'percent' ? ` (${(shares[index]?.[at] ?? 0).toFixed(2)}%)` : '';
      const dot = `<span style="display:inline-block;width:9px;height:9px;border-radius:2px;margin-right:6px;background:${seriesColour(look, series, index)}"></span>`;
      return `<div style="display:flex;gap:16px;justify-content:space-between"><span>${dot}${escapeHtml(series.other ? style.otherName : series.name)}</span><b style="font-weight:500">${valueText(series.values[at] ?? null, style.format)}${share}</b></div>`;
    });
    return `<div style="margin-bottom:4px">${escapeHtml(head)}</div>${lines.join('')}`;
  };
}

/** Each value as a percentage of its x; the sums are of the drawn numbers. */
export function percentages(model: SeriesModel): (number | null)[][] {
  const totals = model.labels.map((_, at) => model.series.reduce((sum, series) => sum + (series.points[at] ?? 0), 0));
  return model.series.map((series) => series.points.map((point, at) => (point === null ? null : totals[at] ? (100 * point) / totals[at] : 0)));
}

function categoryTexts(model: SeriesModel): string[] {
  if (model.axis !== 'time') return [...model.labels];
  const wholeDays = model.positions.every((position) => position % DAY === 0);
  return model.positions.map((position) => shortTimeLabel(position, wholeDays));
}

export function cartesianOption(model: SeriesModel, style: CartesianStyle, look: ChartLook): ChartOption {
  const shares = style.stack === 'percent' ? percentages(model) : [];
  const scattered = style.kind === 'line' && model.axis !== 'category';
  const axisLabel = { color: look.soft, fontSize: look.fontSize, hideOverlap: true };
  const bare = { axisLine: { lineStyle: { color: look.line } }, axisTick: { show: false }, splitLine: { show: false } };
  const keyAxis = scattered
    ? model.axis === 'time'
      ? { ...bare, type: 'time' as const, axisLabel: { ...axisLabel, formatter: TIME_TEXTS } }
      : { ...bare, type: 'value' as const, scale: true, axisLabel: { ...axisLabel, formatter: axisText } }
    : { type: 'category' as const, data: categoryTexts(model), inverse: style.horizontal, boundaryGap: style.kind === 'bar', axisLabel: { ...axisLabel, overflow: 'truncate' as const, width: style.horizontal ? 140 : undefined }, axisLine: { lineStyle: { color: look.line } }, axisTick: { show: false } };
  const unit = style.stack === 'percent' ? '%' : isEtherUnit(style.format) ? unitName(style.format) : '';
  const valueAxis = {
    type: 'value' as const,
    splitNumber: 4,
    scale: style.kind === 'line' && style.stack === 'none',
    max: style.stack === 'percent' ? 100 : undefined,
    name: unit,
    nameTextStyle: { color: look.soft, fontSize: look.fontSize, align: style.horizontal ? ('left' as const) : ('right' as const) },
    axisLabel: { ...axisLabel, formatter: (value: number) => axisText(value) },
    splitLine: { lineStyle: { color: look.line } },
  };
  const series = model.series.map((one, index) => {
    const colour = seriesColour(look, one, index);
    const values = style.stack === 'percent' ? (shares[index] ?? []) : one.points;
    const data = scattered ? values.map((value, at) => [model.positions[at] ?? 0, value]) : [...values];
    const common = { name: one.other ? style.otherName : one.name, color: colour, data, stack: style.stack === 'none' ? undefined : 'all' };
    if (style.kind === 'bar') return { ...common, type: 'bar' as const, barMaxWidth: 48, itemStyle: style.stack === 'none' ? {} : { borderColor: look.surface, borderWidth: model.labels.length > 120 ? 0 : 0.5 }, emphasis: { focus: 'series' as const } };
    const late = index >= 6;
    const alone = one.points.filter((point) => point !== null).length < 2;
    return { ...common, type: 'line' as const, connectNulls: style.connect, showSymbol: style.points || late || alone, symbol: ['circle', 'rect', 'triangle', 'diamond'][index % 4], symbolSize: 5, sampling: model.labels.length > 2_000 ? ('lttb' as const) : undefined, lineStyle: { width: 2, type: late ? ('dashed' as const) : ('solid' as const) }, emphasis: { focus: 'series' as const } };
  });
  const many = model.labels.length > 60;
  const showLegend = style.legend && model.series.length > 1;
  return {
    grid: { left: 8, right: 16, top: (showLegend ? 34 : 12) + (unit === '' ? 0 : 14), bottom: many && !style.horizontal ? 44 : 8, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    legend: showLegend ? { type: 'scroll', top: 0, left: 0, itemWidth: 10, itemHeight: 10, icon: style.kind === 'bar' ? 'roundRect' : undefined, textStyle: { color: look.text, fontSize: look.fontSize }, pageTextStyle: { color: look.soft }, pageIconColor: look.text, pageIconInactiveColor: look.line } : { show: false },
    tooltip: { trigger: 'axis', confine: true, axisPointer: { type: style.kind === 'bar' ? 'shadow' : 'line' }, backgroundColor: look.surface, borderColor: look.line, textStyle: { color: look.text, fontSize: look.fontSize }, formatter: tooltip(model, style, shares, look) },
    dataZoom: many && !style.horizontal ? [{ type: 'slider', height: 18, bottom: 8, borderColor: look.line, textStyle: { color: look.soft, fontSize: look.fontSize }, brushSelect: false }, { type: 'inside', zoomOnMouseWheel: 'ctrl' }] : [],
    xAxis: style.horizontal ? valueAxis : keyAxis,
    yAxis: style.horizontal ? keyAxis : valueAxis,
    series,
  };
}
