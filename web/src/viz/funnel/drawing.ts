/** What draws a funnel, apart from the page. */
import type { Drawing } from '../drawing';
import { draw } from './draw';
import { defaults, type FunnelOptions } from './options';
import { transform, type FunnelModel } from './transform';

export const drawing: Drawing<FunnelOptions, FunnelModel> = { parts: 'more', defaults, transform, draw };
