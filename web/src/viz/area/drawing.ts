/** What draws an area chart, apart from the page. */
import { cartesianOption } from '../cartesian';
import type { Drawing } from '../drawing';
import type { SeriesModel } from '../series';
import { defaults, type AreaOptions } from './options';
import { transform } from './transform';

/** Areas over one another have to let each other through. */
const MOST_OVERLAID = 35;

export const drawing: Drawing<AreaOptions, SeriesModel> = {
  defaults,
  transform,
  draw: (model, options, look, words) => {
    const fill = options.stack === 'none' ? Math.min(options.opacity, MOST_OVERLAID) : options.opacity;
    return cartesianOption(model, options, { kind: 'line', stack: options.stack, horizontal: false, points: false, smooth: options.smooth, step: 'none', fill }, look, words);
  },
};
