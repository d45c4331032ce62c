// The metrics of the developer API: what there is, and asking for one as a program would.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { request } from '@/api/request';
import type { Language } from '@/i18n';
import { getSession } from '@/lib/session';

interface Both {
  readonly en: string;
  readonly zh: string;
}

export interface Metric {
  readonly category: string;
  readonly metric: string;
  readonly aliases: readonly string[];
  readonly title: Both;
  readonly definition: Both;
  readonly formula: string;
  readonly unit: string;
  /** `sum`, `distinct`, `mean` or `state`. */
  readonly kind: 'sum' | 'distinct' | 'mean' | 'state';
  readonly valueType: 'number' | 'text';
  readonly resolutions: readonly string[];
  /** Tables it follows from. */
  readonly source: readonly string[];
  /** False where the contracts that it starts from are not known for the chain. */
  readonly available: boolean;
  /** A query that gives the same by day. */
  readonly sql: string;
}

export interface Metrics {
  readonly metrics: readonly Metric[];
  readonly firstBlock: number | null;
  readonly head: number | null;
  /** Milliseconds. */
  readonly headTime: number | null;
}

export const fetchMetrics = (signal?: AbortSignal): Promise<Metrics> => request<Metrics>('GET', '/api/v1/metrics/metadata', { quiet: true, ...(signal ? { signal } : {}) });

export function useMetrics(wanted = true): UseQueryResult<Metrics> {
  return useQuery({ queryKey: ['docs', 'metrics'], queryFn: ({ signal }) => fetchMetrics(signal), enabled: wanted, staleTime: 300_000 });
}

export const inLanguage = (both: Both, language: Language): string => both[language];

export const pathOf = (metric: Metric): string => `/api/v1/metrics/${metric.category}/${metric.metric}`;

export interface Params {
  readonly i: string;
  readonly s: string;
  readonly u: string;
  readonly f: 'json' | 'csv';
}

/** The address of a request; what is left empty is left out. */
export function addressOf(path: string, params: Params): string {
  const given = Object.entries(params).filter(([name, value]) => value !== '' && !(name === 'f' && value === 'json'));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

export interface Outcome {
  readonly address: string;
  readonly status: number;
  /** Milliseconds until the whole answer was here. */
  readonly ms: number;
  readonly bytes: number;
  readonly body: string;
}

/**
 * Sends a request as a program would, with a key, or with the login when the key is empty. It goes past the page's own way
 * to call the server, because a refusal is an answer to look at here.
 */
export async function send(address: string, key: string): Promise<Outcome> {
  const token = getSession().token;
  const headers: Record<string, string> = key !== '' ? { 'X-Api-Key': key } : token !== null ? { Authorization: `Bearer ${token}` } : {};
  const start = performance.now();
  const answer = await fetch(address, { headers });
  const body = await answer.text();
  return { address, status: answer.status, ms: Math.round(performance.now() - start), bytes: new TextEncoder().encode(body).length, body };
}

/** JSON with a point on each line, every digit as it was sent; anything else as it is. */
export function pretty(body: string): string {
  if (body.startsWith('[{') && body.endsWith('}]')) return `[\n  ${body.slice(1, -1).replaceAll('},{', '},\n  {')}\n]`;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

export interface Point {
  readonly t: number;
  readonly v: number | null;
}

/** The points of an answer in JSON, for drawing; null when it holds none. */
export function pointsOf(body: string): Point[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return null;
  }
  if (!Array.isArray(parsed)) return null;
  return parsed.flatMap((point: unknown) => {
    const { t, v } = (point ?? {}) as { t?: unknown; v?: unknown };
    return typeof t === 'number' ? [{ t, v: v === null || v === undefined ? null : Number(v) }] : [];
  });
}
