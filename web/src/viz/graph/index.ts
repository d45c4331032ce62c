/** Graph: who is connected with whom. */
import { Waypoints } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const graph = defineChart({ id: 'graph', icon: Waypoints, ...drawing, Editor, drawn });
