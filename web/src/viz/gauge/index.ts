/** Gauge: one number of the result on a scale. */
import { Gauge } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const gauge = defineChart({ id: 'gauge', icon: Gauge, ...drawing, Editor, drawn });
