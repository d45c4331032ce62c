/** Bar chart: one bar per x and series, side by side or stacked. */
import { ChartColumn } from 'lucide-react';
import { drawnSeries } from '../cartesian';
import { defineChart } from '../define';
import { drawing } from './drawing';
import { Editor } from './editor';

export const bar = defineChart({ id: 'bar', icon: ChartColumn, ...drawing, Editor, drawn: drawnSeries });
