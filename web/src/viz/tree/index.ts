/** Tree: what belongs to what. */
import { Network } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const tree = defineChart({ id: 'tree', icon: Network, defaults, transform, Editor, draw, drawn, parts: 'more' });
