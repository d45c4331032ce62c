/** Theme river: how the parts of a whole grow and shrink over time. */
import { Waves } from 'lucide-react';
import { defineChart } from '../define';
import { drawn } from './draw';
import { drawing } from './drawing';
import { Editor } from './editor';

export const themeRiver = defineChart({ id: 'themeRiver', icon: Waves, ...drawing, Editor, drawn });
