/** How charts move: the first drawing stands at once, a change takes a moment, and nothing moves for who asked for that. */
import type { EChartsType } from 'echarts/core';
import type { ChartOption } from './chart-look';

const CHANGE_MS = 200;

/** Kinds that clip themselves until their first drawing has moved in: without time for that the clip stays, and cuts their names. */
const CLIPPED: readonly unknown[] = ['sankey', 'themeRiver'];

/** Some kinds of series bring slow beginnings of their own, which would go before what the whole chart says. */
export function inMotion(option: ChartOption, still: boolean): ChartOption {
  const motion = { animationDuration: 0, animationDurationUpdate: still ? 0 : CHANGE_MS };
  const given = option.series ?? [];
  const series = (Array.isArray(given) ? given : [given]).map((one) => ({ ...one, ...motion, ...(CLIPPED.includes(one.type) ? { animation: false } : {}) }));
  return { ...option, ...motion, series };
}

/** Kinds that are taken off before they are drawn anew: in a change they hide names by the places these come from, and a tree in which nothing moves looks for branches that are gone, and breaks. */
const ANEW: readonly unknown[] = ['tree', 'graph'];

/** Draws an option in place of the one before. */
export function replace(chart: Pick<EChartsType, 'clear' | 'setOption'>, option: ChartOption): void {
  if ([option.series ?? []].flat().some(({ type }) => ANEW.includes(type))) chart.clear();
  chart.setOption(option, { notMerge: true });
}
