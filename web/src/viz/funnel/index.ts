/** Funnel: how much is left at each step. */
import { Funnel } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const funnel = defineChart({ id: 'funnel', icon: Funnel, defaults, transform, Editor, draw, drawn, parts: 'more' });
