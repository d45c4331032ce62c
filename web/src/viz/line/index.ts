/** Line chart: one line per series over an ordered x. */
import { ChartLine } from 'lucide-react';
import { cartesianOption, drawnSeries } from '../cartesian';
import { defineChart } from '../define';
import type { SeriesModel } from '../series';
import { Editor } from './editor';
import { defaults, type LineOptions } from './options';
import { transform } from './transform';

export const line = defineChart<LineOptions, SeriesModel>({
  id: 'line',
  icon: ChartLine,
  defaults,
  transform,
  Editor,
  drawn: drawnSeries,
  draw: (model, options, look, words) => cartesianOption(model, options, { kind: 'line', stack: 'none', horizontal: false, points: options.points, smooth: options.smooth, step: options.step, fill: 0 }, look, words),
});
