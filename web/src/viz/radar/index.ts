/** Radar chart: several measures of a few things at once. */
import { Radar } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const radar = defineChart({ id: 'radar', icon: Radar, ...drawing, Editor, drawn });
