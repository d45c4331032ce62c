/** Line chart: one line per series over an ordered x. */
import { ChartLine } from 'lucide-react';
import { useMemo } from 'react';
import { ChartView } from '../chart-view';
import { defineViz } from '../define';
import type { SeriesModel } from '../series';
import { Editor } from './editor';
import { defaults, type LineOptions } from './options';
import { transform } from './transform';

function View({ model, options, title }: { model: SeriesModel; options: LineOptions; title: string }) {
  const { points, legend, format, missing, x } = options;
  const style = useMemo(() => ({ kind: 'line' as const, stack: 'none' as const, horizontal: false, legend, format, connect: missing === 'connect', points }), [points, legend, format, missing]);
  return <ChartView model={model} style={style} xName={x} title={title} />;
}

export const line = defineViz({ id: 'line', icon: ChartLine, defaults, transform, Editor, View });
