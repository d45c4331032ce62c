/** Radar chart: several measures of a few things at once. */
import { Radar } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const radar = defineChart({ id: 'radar', icon: Radar, defaults, transform, Editor, draw, drawn, parts: 'more' });
