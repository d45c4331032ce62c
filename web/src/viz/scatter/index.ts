/** Scatter chart: one point per row by two numbers. */
import { ChartScatter } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const scatter = defineChart({ id: 'scatter', icon: ChartScatter, ...drawing, Editor, drawn });
