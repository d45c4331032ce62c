// The ranking as its address says it, and the figures that the rows add up to. Wei stay whole numbers of any length.
import type { Schemas } from '@/api/call';

export type Ranked = Schemas['Ranked'];
export type DappType = Schemas['DappType'];

export const types = ['games', 'finance', 'betting', 'market', 'social', 'others', 'utilities', 'high-risk'] as const satisfies readonly DappType[];
export const periods = ['day', 'week', 'month'] as const;
export type Period = (typeof periods)[number];
export const measures = ['users', 'transactions', 'volume'] as const;
export type Measure = (typeof measures)[number];
export const daysOf: Record<Period, number> = { day: 1, week: 7, month: 30 };

export interface View {
  /** Null for all. */
  type: DappType | null;
  period: Period;
  measure: Measure;
  /** The order follows the change of the measure instead of its amount. */
  byChange: boolean;
  ascending: boolean;
  search: string;
}

const among = <T extends string>(all: readonly T[], text: string | null): T | null => all.find((one) => one === text) ?? null;

/** Reads the address; what makes no sense there counts as not given. */
export function readView(address: URLSearchParams): View {
  return {
    type: among(types, address.get('type')),
    period: among(periods, address.get('period')) ?? 'day',
    measure: among(measures, address.get('sort')) ?? 'users',
    byChange: address.get('by') === 'change',
    ascending: address.get('order') === 'asc',
    search: (address.get('search') ?? '').slice(0, 100),
  };
}

/** The address of a view; what is as at first is left out. */
export function writeView({ type, period, measure, byChange, ascending, search }: View): URLSearchParams {
  return new URLSearchParams({
    ...(type === null ? {} : { type }),
    ...(period === 'day' ? {} : { period }),
    ...(measure === 'users' ? {} : { sort: measure }),
    ...(byChange ? { by: 'change' } : {}),
    ...(ascending ? { order: 'asc' } : {}),
    ...(search === '' ? {} : { search }),
  });
}

export const amountOf = (row: Ranked, measure: Measure): bigint => BigInt(row[measure]);

/** In per cent; null where there was nothing in the period before. */
export const changeOf = (row: Ranked, measure: Measure): number | null => row[`${measure}Change`] ?? null;

/** The rows in the order of the view. The server's order is by amount, largest first; rows without a change stay last. */
export function ordered(rows: readonly Ranked[], { measure, byChange, ascending, search }: View): Ranked[] {
  const words = search.trim().toLowerCase();
  const found = rows.filter(({ name }) => name.toLowerCase().includes(words));
  if (!byChange) return ascending ? found.reverse() : found;
  const sign = ascending ? 1 : -1;
  const changed = found.filter((row) => changeOf(row, measure) !== null);
  changed.sort((a, b) => sign * ((changeOf(a, measure) ?? 0) - (changeOf(b, measure) ?? 0)) || a.rank - b.rank);
  return [...changed, ...found.filter((row) => changeOf(row, measure) === null)];
}

/** Exact sum of an amount. */
export const sumOf = (rows: readonly Ranked[], measure: Measure): bigint => rows.reduce((sum, row) => sum + amountOf(row, measure), 0n);

/** `part` of `whole` in per cent with two decimals; 0 of nothing. */
export const percentOf = (part: bigint, whole: bigint): number => (whole === 0n ? 0 : Number((10_000n * part + whole / 2n) / whole) / 100);

export interface TypeSum {
  type: string;
  dapps: number;
  amount: bigint;
  percent: number;
}

/** What each type has of the whole, in the order of the types. */
export function byType(rows: readonly Ranked[], measure: Measure): TypeSum[] {
  const whole = sumOf(rows, measure);
  return types.map((type) => {
    const of = rows.filter((row) => row.dappType === type);
    const amount = sumOf(of, measure);
    return { type, dapps: of.length, amount, percent: percentOf(amount, whole) };
  });
}

/** The one whose transactions grew most; null where none grew. */
export function fastest(rows: readonly Ranked[]): Ranked | null {
  const growing = rows.filter((row) => (row.transactionsChange ?? 0) > 0);
  return growing.reduce<Ranked | null>((best, row) => (best === null || (row.transactionsChange ?? 0) > (best.transactionsChange ?? 0) ? row : best), null);
}

/** A query that counts the same for one DApp, day by day. */
export function dailyQuery(name: string): string {
  return `SELECT date_trunc('day', t.block_timestamp) AS day, count(*) AS transactions, count(DISTINCT t.from_address) AS users,
  sum(CASE WHEN t.receipt_status = 1 THEN t.value ELSE 0 END) AS volume_wei
FROM transactions t JOIN labels.dapps d ON d.address = t.to_address
WHERE d.name = '${name.replaceAll("'", "''")}'
GROUP BY 1
ORDER BY day
`;
}
