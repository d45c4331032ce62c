/** Graph: who is connected with whom. */
import { Waypoints } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const graph = defineChart({ id: 'graph', icon: Waypoints, defaults, transform, Editor, draw, drawn, parts: 'more' });
