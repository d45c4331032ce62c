/** Theme river: how the parts of a whole grow and shrink over time. */
import { Waves } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const themeRiver = defineChart({ id: 'themeRiver', icon: Waves, defaults, transform, Editor, draw, drawn, parts: 'more' });
