import { afterEach, expect, it, vi } from 'vitest';
import { clearSession, signIn } from '@/lib/session';
import { ask, queryOf, type AnswerEvent } from './ask';

const events: AnswerEvent[] = [{ type: 'found', language: 'zh', sources: [], query: null }, { type: 'text', text: '以太\n' }, { type: 'text', text: 'wei' }, { type: 'done' }];

/** An answer in pieces of a few bytes, so that letters and lines are cut anywhere. */
function stream(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 5) controller.enqueue(bytes.slice(at, at + 5));
      controller.close();
    },
  });
}

const written = (list: readonly AnswerEvent[]) => list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const listen = async () => {
  const heard: AnswerEvent[] = [];
  await ask('q', [], new AbortController().signal, (event) => heard.push(event));
  return heard;
};

afterEach(() => {
  vi.unstubAllGlobals();
  clearSession();
});

it('hands on the events of an answer, however they are cut', async () => {
  signIn('token');
  const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(() => Promise.resolve(new Response(stream(written(events)))));
  vi.stubGlobal('fetch', fetched);
  expect(await listen()).toEqual(events);
  expect(fetched.mock.calls[0]?.[1].headers).toMatchObject({ Authorization: 'Bearer token' });
});

it('says why a question was refused', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"status":"fail","code":"too_many_attempts","msg":"Too many."}', { status: 429 })));
  await expect(listen()).rejects.toMatchObject({ code: 'too_many_attempts', message: 'Too many.' });
});

it('does not take half an answer for a whole one', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(stream(written(events.slice(0, 2))))));
  await expect(listen()).rejects.toMatchObject({ code: 'network' });
});

it('finds the query that an answer writes', () => {
  expect(queryOf('So:\n```sql\nselect 1\n```\nand ```cypher\nx```')).toEqual({ kind: 'SQL', text: 'select 1' });
  expect(queryOf('```\nplain\n```')).toBeNull();
});
