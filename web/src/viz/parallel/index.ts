/** Parallel coordinates: many measures of many rows side by side. */
import { AlignHorizontalSpaceBetween } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const parallel = defineChart({ id: 'parallel', icon: AlignHorizontalSpaceBetween, defaults, transform, Editor, draw, drawn, parts: 'more' });
