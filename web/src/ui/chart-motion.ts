/** How charts move: the first drawing stands at once, a change takes a moment, and nothing moves for who asked for that. */
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
