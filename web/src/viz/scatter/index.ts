/** Scatter chart: one point per row by two numbers. */
import { ChartScatter } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const scatter = defineChart({ id: 'scatter', icon: ChartScatter, defaults, transform, Editor, draw, drawn });
