/** Box plot: how the values of each group spread. */
import { ChartCandlestick } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const boxplot = defineChart({ id: 'boxplot', icon: ChartCandlestick, defaults, transform, Editor, draw, drawn, parts: 'more' });
