/** Line chart: one line per series over an ordered x. */
import { ChartLine } from 'lucide-react';
import { drawnSeries } from '../cartesian';
import { defineChart } from '../define';
import { drawing } from './drawing';
import { Editor } from './editor';

export const line = defineChart({ id: 'line', icon: ChartLine, ...drawing, Editor, drawn: drawnSeries });
