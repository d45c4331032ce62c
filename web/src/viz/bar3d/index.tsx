/** 3D bar chart: a number for each pair of two columns, as height. Where a browser can't draw in space it is a heatmap. */
import { Box } from 'lucide-react';
import { hasWebgl } from '@/lib/webgl';
import { chartView, defineViz } from '../define';
import { draw as drawFlat, drawn as drawnFlat } from '../heatmap/draw';
import type { HeatmapOptions } from '../heatmap/options';
import type { MatrixModel } from '../matrix';
import type { ResultTable } from '../types';
import { draw } from './draw';
import { Editor } from './editor';
import { defaults, type Bar3dOptions } from './options';
import { transform } from './transform';

const asHeatmap = (options: Bar3dOptions): HeatmapOptions => ({ ...options, layout: 'grid', palette: 'sequential', min: '', max: '', steps: false, labels: false });

const Solid = chartView<Bar3dOptions, MatrixModel>({ id: 'bar3d', parts: '3d', draw, drawn: (model, options) => drawnFlat(model, asHeatmap(options)) });
const Flat = chartView<Bar3dOptions, MatrixModel>({ id: 'bar3d', parts: 'more', draw: (model, options, look) => drawFlat(model, asHeatmap(options), look), drawn: (model, options) => drawnFlat(model, asHeatmap(options)) });

function View({ model, options, title }: { model: MatrixModel; options: Bar3dOptions; title: string; table: ResultTable }) {
  if (hasWebgl()) return <Solid model={model} options={options} title={title} />;
  return <Flat model={{ ...model, notes: [...model.notes, { code: 'noWebgl' }] }} options={options} title={title} />;
}

export const bar3d = defineViz<Bar3dOptions, MatrixModel>({ id: 'bar3d', icon: Box, defaults, transform, Editor, View });
