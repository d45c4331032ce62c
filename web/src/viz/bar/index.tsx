/** Bar chart: one bar per x and series, side by side or stacked. */
import { ChartColumn } from 'lucide-react';
import { useMemo } from 'react';
import { ChartView } from '../chart-view';
import { defineViz } from '../define';
import type { SeriesModel } from '../series';
import { Editor } from './editor';
import { defaults, type BarOptions } from './options';
import { transform } from './transform';

function View({ model, options, title }: { model: SeriesModel; options: BarOptions; title: string }) {
  const { stack, horizontal, legend, format, x } = options;
  const style = useMemo(() => ({ kind: 'bar' as const, stack, horizontal, legend, format, connect: false, points: false }), [stack, horizontal, legend, format]);
  return <ChartView model={model} style={style} xName={x} title={title} />;
}

export const bar = defineViz({ id: 'bar', icon: ChartColumn, defaults, transform, Editor, View });
