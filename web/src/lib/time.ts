// Times and dates, all in UTC: the server writes `YYYY-MM-DD HH:mm:ss`; here they are read, written, counted on and measured.

export const dayMs = 86_400_000;

/** Milliseconds of a server time; NaN when it is none. */
export function parseTime(text: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?)Z?$/.exec(text);
  return match ? Date.parse(`${match[1] ?? ''}T${match[2] ?? ''}Z`) : NaN;
}

/** `YYYY-MM-DD HH:mm:ss`, UTC. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** `MM-DD-YYYY(hh:mmam/pm)`: a moment between people, as in `11-20-2026(07:18pm)`. */
export function formatMoment(ms: number): string {
  const time = new Date(ms);
  const hours = time.getUTCHours();
  const [year = '', month = '', day = ''] = dayOf(ms).split('-');
  return `${month}-${day}-${year}(${two(hours % 12 || 12)}:${two(time.getUTCMinutes())}${hours < 12 ? 'am' : 'pm'})`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `YYYY-MM-DD` of a moment. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** `YYYY-MM` of a moment. */
export const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** The start of a day `YYYY-MM-DD` in milliseconds since 1970, or null when the text is no day. */
export function dayStart(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // Date.parse takes the 31st of February for the 3rd of March.
  return Number.isNaN(ms) || dayOf(ms) !== text ? null : ms;
}

/** The day (`YYYY-MM-DD`) so many days after that of `now`; before it when they are negative. */
export const daysFrom = (now: number, days: number): string => dayOf(now + days * dayMs);

/** The last day of a month `YYYY-MM`. */
export function lastDayOf(month: string): string {
  const [year = 1970, number = 1] = month.split('-').map(Number);
  return dayOf(Date.UTC(year, number, 0));
}

const monthsBefore = (now: number, months: number): string => {
  const time = new Date(now);
  return monthOf(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - months, 1));
};

/** The month (`YYYY-MM`) before that of `now`. */
export const previousMonth = (now: number): string => monthsBefore(now, 1);

/** The month (`YYYY-MM`) two before that of `now`. */
export const monthBeforeLast = (now: number): string => monthsBefore(now, 2);

/** The month (`YYYY-MM`) that a report is about: that of 60 days ago until the 5th of a month, of 30 days ago later. */
export const reportMonth = (now: number): string => monthOf(now - (new Date(now).getUTCDate() <= 5 ? 60 : 30) * dayMs);

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
