/** Box plot: how the values of each group spread. */
import { ChartCandlestick } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const boxplot = defineChart({ id: 'boxplot', icon: ChartCandlestick, ...drawing, Editor, drawn });
