/** What draws a line chart, apart from the page. */
import { cartesianOption } from '../cartesian';
import type { Drawing } from '../drawing';
import type { SeriesModel } from '../series';
import { defaults, type LineOptions } from './options';
import { transform } from './transform';

export const drawing: Drawing<LineOptions, SeriesModel> = {
  defaults,
  transform,
  draw: (model, options, look, words) => cartesianOption(model, options, { kind: 'line', stack: 'none', horizontal: false, points: options.points, smooth: options.smooth, step: options.step, fill: 0 }, look, words),
};
