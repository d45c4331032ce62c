/** Sankey: how much flows from where to where. */
import { Workflow } from 'lucide-react';
import { defineChart } from '../define';
import { draw, drawn } from './draw';
import { Editor } from './editor';
import { defaults } from './options';
import { transform } from './transform';

export const sankey = defineChart({ id: 'sankey', icon: Workflow, defaults, transform, Editor, draw, drawn, parts: 'more' });
