/** Pie chart: parts of one whole. */
import { ChartPie } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const pie = defineChart({ id: 'pie', icon: ChartPie, defaults, transform, Editor, draw, drawn });
