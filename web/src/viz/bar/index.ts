/** Bar chart: one bar per x and series, side by side or stacked. */
import { ChartColumn } from 'lucide-react';
import { cartesianOption, drawnSeries } from '../cartesian';
import { defineChart } from '../define';
import type { SeriesModel } from '../series';
import { Editor } from './editor';
import { defaults, type BarOptions } from './options';
import { transform } from './transform';

export const bar = defineChart<BarOptions, SeriesModel>({
  id: 'bar',
  icon: ChartColumn,
  defaults,
  transform,
  Editor,
  drawn: drawnSeries,
  draw: (model, options, look, words) => cartesianOption(model, options, { kind: 'bar', stack: options.stack, horizontal: options.horizontal, points: false, smooth: false, step: 'none', fill: 0 }, look, words),
});
