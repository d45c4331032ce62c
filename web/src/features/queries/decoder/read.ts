/** What a pasted text is to the decoder: hashes of transactions, the data of a call, a log, or a signature. */
import type { Schemas } from '@/api/call';

export type DecodeKind = 'hashes' | 'input' | 'log' | 'signature';
export const KINDS: readonly DecodeKind[] = ['hashes', 'input', 'log', 'signature'];

type Body = Pick<Schemas['DecodeRequest'], 'hashes' | 'input' | 'log'>;
export type Problem = 'hash' | 'tooMany' | 'bytes' | 'topics' | 'signature';
export type Wanted = { ok: true; body: Body } | { ok: false; problem: Problem } | null;

/** Most transactions of one request. */
export const MOST_HASHES = 50;
const MOST_TOPICS = 4;

const isHash = (word: string) => /^0x[0-9a-f]{64}$/i.test(word);
const isBytes = (word: string) => /^0x([0-9a-f]{2})*$/i.test(word);
const wordsOf = (text: string) => text.split(/[\s,;"'[\]]+/).filter((word) => word !== '');

/** The kind that a text looks like; null when it may be several or none. */
export function kindOf(text: string): DecodeKind | null {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return 'log';
  if (/^(function|event)\b|^\w+\s*\(/.test(trimmed)) return 'signature';
  const words = wordsOf(trimmed);
  const [first = ''] = words;
  if (words.length === 1 && isBytes(first) && !isHash(first)) return 'input';
  if (words.length > 1 && isHash(first) && words.some((word) => !isHash(word)) && words.every(isBytes)) return 'log';
  return null;
}

/** A log as nodes and explorers write it: JSON with topics and data, or the topics and then the data, one a line. */
function readLog(text: string): Wanted {
  let topics: string[];
  let data: string;
  if (text.startsWith('{')) {
    const log = parsed(text);
    topics = Array.isArray(log?.topics) ? log.topics.map(String) : [];
    data = typeof log?.data === 'string' ? log.data : '0x';
  } else {
    const words = wordsOf(text);
    const rest = words.findIndex((word) => !isHash(word));
    const end = Math.min(rest === -1 ? words.length : rest, MOST_TOPICS);
    topics = words.slice(0, end);
    data = `0x${words.slice(end).map((word) => word.replace(/^0x/i, '')).join('')}`;
  }
  if (topics.length === 0 || topics.length > MOST_TOPICS || !topics.every(isHash)) return { ok: false, problem: 'topics' };
  return isBytes(data) ? { ok: true, body: { log: { topics, data } } } : { ok: false, problem: 'bytes' };
}

function parsed(text: string): { topics?: unknown; data?: unknown } | null {
  try {
    return JSON.parse(text) as { topics?: unknown; data?: unknown } | null;
  } catch {
    return null;
  }
}

/** What to ask the server; null while there is nothing to ask. */
export function wantedOf(kind: DecodeKind, text: string): Wanted {
  const trimmed = text.trim();
  if (trimmed === '' || kind === 'signature') return null;
  if (kind === 'log') return readLog(trimmed);
  if (kind === 'input') return isBytes(trimmed) && trimmed.length > 2 ? { ok: true, body: { input: trimmed } } : { ok: false, problem: 'bytes' };
  const hashes = [...new Set(wordsOf(trimmed).map((word) => word.toLowerCase()))];
  if (hashes.length > MOST_HASHES) return { ok: false, problem: 'tooMany' };
  return hashes.length > 0 && hashes.every(isHash) ? { ok: true, body: { hashes } } : { ok: false, problem: 'hash' };
}

/** A signature as the server takes it: what says neither is a function's, as on most sites. */
export const signatureOf = (text: string): string => (/^(function|event)\b/.test(text.trim()) ? text.trim() : `function ${text.trim()}`);

export const isSignature = (text: string): boolean => /^((function|event)\s+)?\w+\s*\(.*\)/s.test(text.trim());
