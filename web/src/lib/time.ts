// Times: the server writes `YYYY-MM-DD HH:mm:ss` in UTC; here they are read, written and measured.

/** Milliseconds of a server time; NaN when it is none. */
export function parseTime(text: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?)Z?$/.exec(text);
  return match ? Date.parse(`${match[1] ?? ''}T${match[2] ?? ''}Z`) : NaN;
}

/** `YYYY-MM-DD HH:mm:ss`, UTC. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

export type Unit = 'second' | 'minute' | 'hour' | 'day';
const seconds: Record<Unit, number> = { second: 1, minute: 60, hour: 3600, day: 86_400 };
const units: Unit[] = ['day', 'hour', 'minute', 'second'];

/** A duration as its two largest units, the first not zero: 271 s → 4 minutes, 31 seconds. */
export function durationParts(ms: number): [Unit, number][] {
  const total = Math.max(0, Math.floor(ms / 1000));
  const first = units.find((unit) => total >= seconds[unit]) ?? 'second';
  const second = units[units.indexOf(first) + 1];
  const parts: [Unit, number][] = [[first, Math.floor(total / seconds[first])]];
  if (second) parts.push([second, Math.floor((total % seconds[first]) / seconds[second])]);
  return parts;
}
