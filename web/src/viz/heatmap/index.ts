/** Heatmap: a number for each pair of two columns, as colour. */
import { Grid3x3 } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const heatmap = defineChart({ id: 'heatmap', icon: Grid3x3, defaults, transform, Editor, draw, drawn, parts: 'more' });
