/** Area chart: filled lines, stacked on one another. */
import { ChartArea } from 'lucide-react';
import { drawnSeries } from '../cartesian';
import { defineChart } from '../define';
import { drawing } from './drawing';
import { Editor } from './editor';

export const area = defineChart({ id: 'area', icon: ChartArea, ...drawing, Editor, drawn: drawnSeries });
