/** Funnel: how much is left at each step. */
import { Funnel } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const funnel = defineChart({ id: 'funnel', icon: Funnel, ...drawing, Editor, drawn });
