// How numbers and chain values are written. Wei stay BigInt or text all the way: nothing here rounds through a float.

/** Whole number with separators: 1234567 → 1,234,567. Takes text of any length. */
export function count(value: number | bigint | string): string {
  const text = String(value);
  const sign = text.startsWith('-') ? '−' : '';
  return sign + text.replace(/^-/, '').replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Short form from 10,000 on, three digits: 1623000 → 1.62M. For counters and axes, never for grids. */
export function compact(value: number): string {
  const size = Math.abs(value);
  if (size < 10_000) return count(Math.round(value));
  const units: [number, string][] = [[1e12, 'T'], [1e9, 'B'], [1e6, 'M'], [1e3, 'k']];
  const sign = value < 0 ? '−' : '';
  for (const [index, [unit, letter]] of units.entries()) {
    if (size < unit) continue;
    const scaled = Number((size / unit).toPrecision(3));
    const above = units[index - 1];
    // 999,999 rounds up to the next unit: 1M, not 1000k.
    if (scaled >= 1000 && above) return `${sign}1${above[1]}`;
    return `${sign}${scaled}${letter}`;
  }
  return count(value);
}

/** `value` units of 10^-digits as a decimal with at most `places` places, rounded half up; `fixed` keeps the trailing zeros. */
export function decimal(value: bigint, digits: number, places: number, fixed = false): string {
  const sign = value < 0n ? '−' : '';
  const size = value < 0n ? -value : value;
  const step = 10n ** BigInt(digits - places);
  const rounded = (size + step / 2n) / step;
  const one = 10n ** BigInt(places);
  let fraction = places === 0 ? '' : (rounded % one).toString().padStart(places, '0');
  if (!fixed) fraction = fraction.replace(/0+$/, '');
  return sign + count(rounded / one) + (fraction === '' ? '' : `.${fraction}`);
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** An amount of wei in the unit that reads best: ETH from 0.001 on, then gwei, then wei. */
export function ether(wei: bigint | string): string {
  const value = BigInt(wei);
  const size = abs(value);
  if (size === 0n || size >= 10n ** 15n) return `${decimal(value, 18, 4)} ETH`;
  if (size >= 10n ** 5n) return `${decimal(value, 9, 4)} gwei`;
  return `${count(value)} wei`;
}

/** A gas price: the number and its unit, apart, because they are often set in different sizes. */
export function gasPrice(wei: bigint | string): { value: string; unit: string } {
  const value = BigInt(wei);
  const gwei = 10n ** 9n;
  if (value >= 10n * gwei) return { value: decimal(value, 9, 1, true), unit: 'gwei' };
  if (value >= gwei / 100n) return { value: decimal(value, 9, 2, true), unit: 'gwei' };
  if (value >= gwei / 10_000n) return { value: decimal(value, 9, 4, true), unit: 'gwei' };
  return { value: count(value), unit: 'wei' };
}

/** First six and last four characters of an address or hash. */
export function shortHex(hex: string): string {
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

export function blockName(number: number): string {
  return `#${count(number)}`;
}

/** Share of a whole with `places` decimals: 0.2184 → 21.84%. */
export function share(part: number, places = 2): string {
  return `${(part * 100).toFixed(places)}%`;
}

/** Change with its sign: 0.034 → +3.4%. */
export function change(part: number): string {
  const text = Math.abs(part * 100).toFixed(1);
  if (text === '0.0') return '0.0%';
  return `${part < 0 ? '−' : '+'}${text}%`;
}

/** Bytes in the unit that reads best, three digits: 38400000000 → 38.4 GB. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let scaled = value;
  let unit = 0;
  while (scaled >= 999.5 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(scaled) : Number(scaled.toPrecision(3))} ${units[unit] ?? ''}`;
}
