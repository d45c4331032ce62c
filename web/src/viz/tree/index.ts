/** Tree: what belongs to what. */
import { Network } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const tree = defineChart({ id: 'tree', icon: Network, ...drawing, Editor, drawn });
