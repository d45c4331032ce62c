/** Pie chart: parts of one whole. */
import { ChartPie } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const pie = defineChart({ id: 'pie', icon: ChartPie, ...drawing, Editor, drawn });
