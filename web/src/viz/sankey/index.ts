/** Sankey: how much flows from where to where. */
import { Workflow } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const sankey = defineChart({ id: 'sankey', icon: Workflow, ...drawing, Editor, drawn });
