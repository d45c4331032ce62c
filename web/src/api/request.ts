// The one way to call the server: JSON, envelope, bearer token, and failures told to whoever listens.
import { readyRefusals } from '@/i18n/failures';
import { connectionLost } from '@/lib/connection';
import { getSession } from '@/lib/session';
import { ApiError, fallbackMessage } from './error';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  query?: Record<string, string | number | boolean | null | undefined>;
  /** Sent as JSON; a form goes as it is. */
  body?: unknown;
  signal?: AbortSignal;
  /** Leave out the bearer token. */
  anonymous?: boolean;
  /** Sent in place of the token of the present login. */
  token?: string;
  /** The caller shows the failure itself: no popup. An expired login is still told. */
  quiet?: boolean;
  /** The call outlives the page. */
  keepalive?: boolean;
}

interface Envelope {
  status: string;
  msg?: string;
  data?: unknown;
  code?: string;
  param?: string;
  /** What exactly is wrong, when `msg` is a fixed text that does not say it. */
  detail?: string;
  position?: { line: number; column: number };
}

const timeoutMs = 86_400_000;
/** What a proxy answers in place of a server that is gone or starting again. */
const gateway = new Set([502, 503, 504]);

type FailureListener = (error: ApiError, quiet: boolean) => void;
let listener: FailureListener | undefined;

/** Says who shows failures. The app sets this once. */
export function onFailure(next: FailureListener): void {
  listener = next;
}

/** Calls the server and returns the envelope's data, or the Blob of a binary answer. Rejects with ApiError. */
export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const token = options.anonymous ? null : (options.token ?? getSession().token);
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (token) headers['Authorization'] = `Bearer ${token}`;
  const form = options.body instanceof FormData ? options.body : null;
  // A form says its own type, with the line that parts its fields.
  if (options.body !== undefined && form === null) headers['Content-Type'] = 'application/json';
  const timeout = AbortSignal.timeout(timeoutMs);

  let response: Response;
  let body: unknown;
  try {
    response = await fetch(path + queryString(options.query), {
      method,
      headers,
      keepalive: options.keepalive ?? false,
      body: form ?? (options.body === undefined ? null : JSON.stringify(options.body)),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    body = await readBody(response);
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    console.error(`${method} ${path} could not be reached`, cause);
    throw unreachable();
  }
  if (gateway.has(response.status) && !isEnvelope(body)) throw unreachable();
  if (response.ok && body instanceof Blob) return body as T;
  if (response.ok && isEnvelope(body) && body.status === 'success') return body.data as T;

  const error = failure(response.status, body);
  await readyRefusals(error.code);
  // A late answer to a token that is no longer in use says nothing about the present login.
  if (token === null || token === getSession().token) listener?.(error, options.quiet ?? false);
  throw error;
}

function unreachable(): ApiError {
  connectionLost();
  return new ApiError('The server could not be reached.', 'network', 0);
}

function queryString(query: RequestOptions['query']): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== '');
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('Content-Type') ?? '';
  if (!type.includes('json')) return response.blob();
  return response.json();
}

function isEnvelope(body: unknown): body is Envelope {
  return typeof body === 'object' && body !== null && 'status' in body;
}

/** What a failure without a code says is in its message; one without either is called unexpected. */
export const codeOf = ({ code, msg }: Pick<Envelope, 'code' | 'msg'>): string => code ?? (msg ? '' : 'unexpected');

function failure(status: number, body: unknown): ApiError {
  if (!isEnvelope(body)) return new ApiError(fallbackMessage, 'unexpected', status);
  return new ApiError(body.msg ?? '', codeOf(body), status, body);
}
