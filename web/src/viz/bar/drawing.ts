/** What draws a bar chart, apart from the page. */
import { cartesianOption } from '../cartesian';
import type { Drawing } from '../drawing';
import type { SeriesModel } from '../series';
import { defaults, type BarOptions } from './options';
import { transform } from './transform';

export const drawing: Drawing<BarOptions, SeriesModel> = {
  defaults,
  transform,
  draw: (model, options, look, words) => cartesianOption(model, options, { kind: 'bar', stack: options.stack, horizontal: options.horizontal, points: false, smooth: false, step: 'none', fill: 0 }, look, words),
};
