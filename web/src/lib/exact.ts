/** Exact decimal numbers of any length: parsed from text, compared, scaled and written without ever passing through a float. */

/** The value `digits / 10^scale`; `digits` carries the sign. */
export interface Exact {
  readonly digits: bigint;
  readonly scale: number;
}

const NUMBER = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Reads `-12.50`, `1e-7` or a JavaScript number; null for anything that is no finite number. */
export function parseExact(value: unknown): Exact | null {
  if (typeof value === 'bigint') return { digits: value, scale: 0 };
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const match = NUMBER.exec(String(value).trim());
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

function aligned(a: Exact, b: Exact): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale), scale];
}

/** Negative, zero or positive, as `Array.sort` wants it. */
export function compareExact(a: Exact, b: Exact): number {
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

export function addExact(a: Exact, b: Exact): Exact {
  const [left, right, scale] = aligned(a, b);
  return { digits: left + right, scale };
}

export function subtractExact(a: Exact, b: Exact): Exact {
  return addExact(a, { digits: -b.digits, scale: b.scale });
}

export const ZERO: Exact = { digits: 0n, scale: 0 };

export function sumExact(values: Iterable<Exact>): Exact {
  let sum = ZERO;
  for (const value of values) sum = addExact(sum, value);
  return sum;
}

/** Times a whole number. */
export function timesExact(value: Exact, factor: bigint): Exact {
  return { digits: value.digits * factor, scale: value.scale };
}

/** `a / b` with `decimals` places, halves away from zero; null where `b` is 0. */
export function ratioExact(a: Exact, b: Exact, decimals: number): Exact | null {
  const [left, right] = aligned(a, b);
  if (right === 0n) return null;
  const negative = left < 0n !== right < 0n;
  const [top, bottom] = [left < 0n ? -left : left, right < 0n ? -right : right];
  const rounded = (2n * top * 10n ** BigInt(decimals) + bottom) / (2n * bottom);
  return { digits: negative ? -rounded : rounded, scale: decimals };
}

/** Divides by a power of ten, for example wei by 10^18 to ETH. */
export function shiftDown(value: Exact, places: number): Exact {
  return { digits: value.digits, scale: value.scale + places };
}

/** Keeps `decimals` places, rounding halves away from zero. */
export function roundExact(value: Exact, decimals: number): Exact {
  if (value.scale <= decimals) return value;
  const unit = 10n ** BigInt(value.scale - decimals);
  const size = value.digits < 0n ? -value.digits : value.digits;
  const rounded = (size + unit / 2n) / unit;
  return { digits: value.digits < 0n ? -rounded : rounded, scale: decimals };
}

const MOST_PLACES = 100;

/** Has exactly `decimals` places: rounded, or filled up with zeros. Stored options may ask for anything: there is an end to it. */
export function toPlaces(value: Exact, decimals: number): Exact {
  const places = Math.min(MOST_PLACES, Math.max(0, Math.trunc(decimals)));
  const { digits, scale } = roundExact(value, places);
  return { digits: digits * 10n ** BigInt(places - scale), scale: places };
}

/** Removes zeros at the end of the fraction. */
export function trimExact(value: Exact): Exact {
  let { digits, scale } = value;
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale -= 1;
  }
  return { digits, scale };
}

/** Plain digits, as a program reads them. */
export function plainExact(value: Exact): string {
  const negative = value.digits < 0n;
  const text = (negative ? -value.digits : value.digits).toString().padStart(value.scale + 1, '0');
  const whole = text.slice(0, text.length - value.scale);
  const fraction = value.scale > 0 ? `.${text.slice(text.length - value.scale)}` : '';
  return (negative ? '-' : '') + whole + fraction;
}

/** Plain digits with `,` between thousands and a true minus sign, as a person reads them. */
export function groupExact(value: Exact): string {
  const [whole = '0', fraction] = plainExact(value).replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return (value.digits < 0n ? '−' : '') + grouped + (fraction === undefined ? '' : `.${fraction}`);
}

const STEPS: readonly [number, string][] = [
  [12, 'T'],
  [9, 'B'],
  [6, 'M'],
  [3, 'k'],
];

/** A power of ten as people write it: `10²²`. */
export function powerOfTen(exponent: number): string {
  return `10${Array.from(String(exponent), (sign) => SUPERSCRIPTS[sign] ?? sign).join('')}`;
}

const SUPERSCRIPTS: Record<string, string> = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };

/** `1.5×10²²`: so many digits at most, and a power of ten. */
function scientific(value: Exact, length: number, digits: number): string {
  const lead = trimExact(roundExact({ digits: value.digits, scale: value.scale + length - 1 }, digits - 1));
  // 9.999 has become 10.
  if (lead.scale === 0 && (lead.digits === 10n || lead.digits === -10n)) return scientific({ digits: lead.digits / 10n, scale: -length }, length + 1, digits);
  return `${groupExact(lead)}×${powerOfTen(length - 1)}`;
}

/**
 * Three significant digits, or as many as are asked for, with k, M, B or T from 10,000 on; smaller numbers keep up to four
 * decimals. What is too large or too small for that comes with a power of ten.
 */
export function compactExact(value: Exact, digits = 3): string {
  const size = value.digits < 0n ? -value.digits : value.digits;
  const length = size.toString().length - value.scale;
  if (length > 18 || (length < -3 && size > 0n)) return scientific(value, length, digits);
  if (length <= 4) return groupExact(trimExact(roundExact(value, Math.max(length > 2 ? 2 : 4, digits - length))));
  for (const [at, [places, letter]] of STEPS.entries()) {
    if (length > places) {
      const scaled = roundExact(shiftDown(value, places), Math.max(0, digits - (length - places)));
      const above = STEPS[at - 1];
      // 999,999 rounds up to the next letter: 1M, not 1,000k.
      if (above && scaled.scale === 0 && (scaled.digits === 1000n || scaled.digits === -1000n)) return groupExact({ digits: scaled.digits / 1000n, scale: 0 }) + above[1];
      return groupExact(trimExact(scaled)) + letter;
    }
  }
  return groupExact(trimExact(roundExact(value, 0)));
}

/** The same with exactly so many decimals, for who chose them: 1234567 with one is 1.2M. */
export function compactTo(value: Exact, decimals: number): string {
  const length = (value.digits < 0n ? -value.digits : value.digits).toString().length - value.scale;
  if (length > 18) return scientific(value, length, Math.min(MOST_PLACES, Math.trunc(decimals)) + 1);
  const at = length > 4 ? STEPS.findIndex(([places]) => length > places) : STEPS.length;
  const [places, letter] = STEPS[at] ?? [0, ''];
  const scaled = toPlaces(shiftDown(value, places), decimals);
  const above = letter === '' ? undefined : STEPS[at - 1];
  const thousand = 10n ** BigInt(scaled.scale + 3);
  if (above && (scaled.digits === thousand || scaled.digits === -thousand)) return groupExact({ digits: scaled.digits / 1000n, scale: scaled.scale }) + above[1];
  return groupExact(scaled) + letter;
}

/** The nearest JavaScript number for drawing, and whether digits that matter were lost. */
export function drawExact(value: Exact): { value: number; rounded: boolean } {
  const trimmed = trimExact(value);
  const number = Number(plainExact(trimmed));
  const size = trimmed.digits < 0n ? -trimmed.digits : trimmed.digits;
  if (trimmed.scale === 0) return { value: number, rounded: !Number.isFinite(number) || BigInt(number) !== trimmed.digits };
  return { value: number, rounded: size.toString().length > 15 };
}
