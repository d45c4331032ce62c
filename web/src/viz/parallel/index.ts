/** Parallel coordinates: many measures of many rows side by side. */
import { AlignHorizontalSpaceBetween } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const parallel = defineChart({ id: 'parallel', icon: AlignHorizontalSpaceBetween, ...drawing, Editor, drawn });
