/** What draws a gauge, apart from the page. */
import type { Drawing } from '../drawing';
import { draw } from './draw';
import { defaults, type GaugeOptions } from './options';
import { transform, type GaugeModel } from './transform';

export const drawing: Drawing<GaugeOptions, GaugeModel> = { parts: 'more', defaults, transform, draw };
