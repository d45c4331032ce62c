// What the monitor saw while somebody looked at it: from two looks at the lake follows how fast it grows.
import type { Schemas } from '@/api/call';

export interface Sample {
  /** Milliseconds since 1970. */
  at: number;
  /** Blocks that the lake holds. */
  blocks: number;
  /** Rows of each table. */
  rows: Readonly<Record<string, number>>;
  /** How old the newest block is, in milliseconds; null for an empty lake. */
  lagMs: number | null;
}

/** Looks that are kept: half an hour, one every five seconds. */
const most = 360;

type Monitor = Pick<Schemas['LakeMonitor'], 'covered' | 'tables' | 'head'>;

export function sampleOf(monitor: Monitor, at: number): Sample {
  return {
    at,
    blocks: monitor.covered.reduce((sum, range) => sum + range.to - range.from + 1, 0),
    rows: Object.fromEntries(monitor.tables.map((table) => [table.name, table.rows])),
    lagMs: monitor.head ? Math.max(0, at - monitor.head.time) : null,
  };
}

/** The samples with one more; the oldest go first. An answer that came twice counts once. */
export function withSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  if (samples.at(-1)?.at === next.at) return samples;
  return [...samples, next].slice(-most);
}

/** Growth a second of some figure between each sample and the one before; a lake that shrank (reorganised) grew by nothing. */
export function growth(samples: readonly Sample[], figure: (sample: Sample) => number): number[] {
  return samples.slice(1).map((sample, index) => {
    const before = samples[index];
    if (!before || sample.at <= before.at) return 0;
    return Math.max(0, ((figure(sample) - figure(before)) * 1000) / (sample.at - before.at));
  });
}
