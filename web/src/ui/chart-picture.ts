/** A chart as a small picture: its shapes alone, without axes, names and numbers, which nobody could read. Needs no page: a worker draws. */
import type { ChartLook, ChartOption, ChartParts } from './chart-look';
import './chart-shapes';
import { svgText } from './chart-svg';

type Part = Record<string, unknown>;
const list = (value: unknown): Part[] => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]) as Part[];

/** The address of the picture, as large as the look says; null when there is nothing to draw. */
export async function pictureOf(option: (look: ChartLook) => ChartOption | null, parts: ChartParts, look: ChartLook): Promise<string | null> {
  if (parts === 'more') await import('./chart-more');
  const full = option(look);
  if (!full) return null;
  const svg = svgText({ ...bare(full), animation: false, useUTC: true }, look.width, look.height);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** Parts of a chart that are only there to be read or used. */
const read: readonly string[] = ['legend', 'tooltip', 'title', 'dataZoom', 'toolbox'];

/** The option without everything that is read, spread over the whole picture. */
export function bare(option: ChartOption): ChartOption {
  const rest = Object.fromEntries(Object.entries(option as Part).filter(([name]) => !read.includes(name)));
  const changed: Part = { ...rest, series: list(rest['series']).map(bareSeries) };
  if (rest['grid'] !== undefined) changed['grid'] = { left: 4, right: 4, top: 8, bottom: 4 };
  for (const axis of ['xAxis', 'yAxis']) if (rest[axis] !== undefined) changed[axis] = list(rest[axis]).map((one) => ({ ...one, show: false }));
  if (rest['visualMap'] !== undefined) changed['visualMap'] = list(rest['visualMap']).map((one) => ({ ...one, show: false }));
  if (rest['radar'] !== undefined) changed['radar'] = list(rest['radar']).map((one) => ({ ...one, axisName: { show: false }, radius: '92%', center: ['50%', '50%'] }));
  if (rest['singleAxis'] !== undefined) changed['singleAxis'] = list(rest['singleAxis']).map((one) => ({ ...one, show: false, top: 4, bottom: 4, left: 0, right: 0 }));
  if (rest['parallel'] !== undefined) changed['parallel'] = { left: 10, right: 10, top: 8, bottom: 8 };
  if (rest['parallelAxis'] !== undefined) changed['parallelAxis'] = list(rest['parallelAxis']).map((one) => ({ ...one, name: '', axisLabel: { show: false } }));
  return changed;
}

/** How far a type's drawing reaches, where it is not laid out by axes; a graph knows it by itself. */
const spread: Record<string, Part> = {
  pie: { center: ['50%', '50%'] },
  funnel: { left: '20%', right: '20%', top: 6, bottom: 6, width: undefined, height: undefined },
  sankey: { left: 2, right: 2, top: 4, bottom: 4 },
  tree: { left: 8, right: 8, top: 6, bottom: 6 },
  sunburst: { radius: ['0%', '96%'], center: ['50%', '50%'] },
  gauge: { axisLabel: { show: false }, splitLine: { show: false }, title: { show: false }, detail: { show: false }, radius: '96%', center: ['50%', '60%'] },
};

function bareSeries(series: Part): Part {
  const kind = String(series['type']);
  // The line of a stacked area is the gap to the next one: as wide as a curve it would hide thin areas.
  const gap = series['areaStyle'] !== undefined && series['stack'] !== undefined;
  const width = kind === 'line' && !gap ? { lineStyle: { ...(series['lineStyle'] as Part | undefined), width: 3 }, symbolSize: 6 } : {};
  return { ...series, ...width, ...spread[kind], ...(kind === 'pie' ? { radius: pieRadius(series['radius']) } : {}), label: { show: false }, labelLine: { show: false }, markLine: undefined, silent: true };
}

/** A ring stays a ring. */
function pieRadius(radius: unknown): [string, string] {
  const inner: unknown = Array.isArray(radius) ? radius[0] : undefined;
  return [inner === undefined || inner === '0%' ? '0%' : '52%', '92%'];
}
