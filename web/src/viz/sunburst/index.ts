/** Sunburst: parts of parts, as rings. */
import { Sun } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const sunburst = defineChart({ id: 'sunburst', icon: Sun, defaults, transform, Editor, draw, drawn, parts: 'more' });
