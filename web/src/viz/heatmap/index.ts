/** Heatmap: a number for each pair of two columns, as colour. */
import { Grid3x3 } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const heatmap = defineChart({ id: 'heatmap', icon: Grid3x3, ...drawing, Editor, drawn });
