// How the lake grew: from two looks of the server at it follows how fast.
import type { Schemas } from '@/api/call';

type Look = Schemas['LakeLook'];

/** One step of a chart: what came in between two looks. */
export interface Step {
  /** End of the step in milliseconds since 1970. */
  at: number;
  blocksPerMinute: number;
  rowsPerMinute: number;
  /** How old the newest block was at the end of the step, in seconds; null for an empty lake. */
  lagSeconds: number | null;
}

const minuteMs = 60_000;

/** Growth between the looks, in at most so many steps of equal length up to the newest look. A lake that shrank (reorganised) grew by nothing. */
export function growth(looks: readonly Look[], most: number): Step[] {
  const stride = Math.max(1, Math.ceil((looks.length - 1) / most));
  const steps: Step[] = [];
  for (let at = stride + ((looks.length - 1) % stride); at < looks.length; at += stride) {
    const [before, now] = [looks[at - stride], looks[at]];
    if (!before || !now || now.time <= before.time) continue;
    const perMinute = (figure: 'blocks' | 'rows') => Math.max(0, ((now[figure] - before[figure]) * minuteMs) / (now.time - before.time));
    const headTime = now.headTime ?? null;
    steps.push({
      at: now.time,
      blocksPerMinute: perMinute('blocks'),
      rowsPerMinute: perMinute('rows'),
      lagSeconds: headTime === null ? null : Math.max(0, (now.time - headTime) / 1000),
    });
  }
  return steps;
}
