/** Area chart: filled lines, stacked on one another. */
import { ChartArea } from 'lucide-react';
import { cartesianOption, drawnSeries } from '../cartesian';
import { defineChart } from '../define';
import type { SeriesModel } from '../series';
import { Editor } from './editor';
import { defaults, type AreaOptions } from './options';
import { transform } from './transform';

/** Areas over one another have to let each other through. */
const MOST_OVERLAID = 35;

export const area = defineChart<AreaOptions, SeriesModel>({
  id: 'area',
  icon: ChartArea,
  defaults,
  transform,
  Editor,
  drawn: drawnSeries,
  draw: (model, options, look, words) => {
    const fill = options.stack === 'none' ? Math.min(options.opacity, MOST_OVERLAID) : options.opacity;
    return cartesianOption(model, options, { kind: 'line', stack: options.stack, horizontal: false, points: false, smooth: options.smooth, step: 'none', fill }, look, words);
  },
});
