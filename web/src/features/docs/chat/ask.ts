// Asks the assistant and hands on its answer piece by piece.
import { ApiError } from '@/api/error';
import { codeOf, request } from '@/api/request';
import { getSession } from '@/lib/session';
import type { LinkedKind } from '@/lib/query-link';

export interface Source {
  readonly about: 'page' | 'table' | 'function' | 'query';
  readonly title: string;
  readonly path: string;
}

export interface Runnable {
  readonly kind: LinkedKind;
  readonly text: string;
}

export type AnswerEvent =
  | { readonly type: 'found'; readonly language: 'en' | 'zh'; readonly sources: readonly Source[]; readonly query: Runnable | null }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'failed' }
  | { readonly type: 'done' };

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** Resolves when the answer is whole; rejects with ApiError, also when it breaks off. */
export async function ask(text: string, before: readonly Turn[], signal: AbortSignal, onEvent: (event: AnswerEvent) => void): Promise<void> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${getSession().token ?? ''}` };
  const answer = await fetch('/api/assistant/ask', { method: 'POST', headers, body: JSON.stringify({ text, before }), signal });
  if (!answer.ok) await refused(answer);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let whole = false;
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) break;
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data:')) continue;
      const event = JSON.parse(line.slice(5)) as AnswerEvent;
      whole ||= event.type === 'done';
      onEvent(event);
    }
  }
  if (!whole) throw new ApiError('The server could not be reached.', 'network', 0);
}

async function refused(answer: Response): Promise<never> {
  const body = (await answer.json().catch(() => ({}))) as { msg?: string; code?: string };
  // An ended login is told in the same way everywhere: the ordinary call meets it too.
  if (answer.status === 401) await request('GET', '/api/assistant/status', { quiet: true });
  throw new ApiError(body.msg ?? '', codeOf(body), answer.status);
}

const kinds: Readonly<Record<string, LinkedKind>> = { sql: 'SQL', cypher: 'GRAPH', hive: 'HIVE' };

/** The first query that an answer writes itself, in a code block. */
export function queryOf(answer: string): Runnable | null {
  const [, language = '', text = ''] = /```(sql|cypher|hive)\n([\s\S]*?)```/i.exec(answer) ?? [];
  const kind = kinds[language.toLowerCase()];
  return kind === undefined ? null : { kind, text: text.trim() };
}
