/** Sunburst: parts of parts, as rings. */
import { Sun } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const sunburst = defineChart({ id: 'sunburst', icon: Sun, ...drawing, Editor, drawn });
