/** Gauge: one number of the result on a scale. */
import { Gauge } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const gauge = defineChart({ id: 'gauge', icon: Gauge, defaults, transform, Editor, draw, drawn, parts: 'more' });
