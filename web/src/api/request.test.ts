import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearSession, signIn } from '@/lib/session';
import type { ApiError } from './error';
import { onFailure, request } from './request';

const answer = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const fail = (status: number, code: string, msg: string, more: object = {}) => answer({ status: 'fail', code, msg, data: null, ...more }, status);

describe('request', () => {
  const told: [ApiError, boolean][] = [];
  const send = vi.fn<typeof fetch>();
  const reply = (response: Response) => send.mockResolvedValueOnce(response);
  const sentHeaders = () => send.mock.lastCall?.[1]?.headers as Record<string, string>;

  beforeEach(() => {
    told.length = 0;
    send.mockReset();
    vi.stubGlobal('fetch', send);
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
    onFailure((error, quiet) => told.push([error, quiet]));
    clearSession();
  });
  afterEach(() => vi.unstubAllGlobals());

  it('opens the envelope', async () => {
    reply(answer({ status: 'success', msg: '', data: { n: 1 } }));
    expect(await request('GET', '/api/x', { query: { a: 1, b: undefined, c: '' } })).toEqual({ n: 1 });
    expect(send.mock.lastCall?.[0]).toBe('/api/x?a=1');
  });

  it('sends the token, unless it is asked not to', async () => {
    signIn('secret');
    reply(answer({ status: 'success', data: null }));
    await request('GET', '/api/x');
    expect(sentHeaders()['Authorization']).toBe('Bearer secret');
    reply(answer({ status: 'success', data: null }));
    await request('GET', '/api/x', { anonymous: true });
    expect(sentHeaders()).not.toHaveProperty('Authorization');
  });

  it('rejects a failure with its code and place, and tells it', async () => {
    reply(fail(400, 'syntax_error', 'Unexpected end.', { position: { line: 2, column: 7 }, param: 'text' }));
    const error = await request('POST', '/api/x', { body: {}, quiet: true }).catch((reason: unknown) => reason as ApiError);
    expect(error).toMatchObject({ code: 'syntax_error', status: 400, message: 'Unexpected end.', position: { line: 2, column: 7 }, param: 'text' });
    expect(told).toEqual([[error, true]]);
  });

  it('rejects a good status code with a bad envelope, and a bad one without any', async () => {
    reply(answer({ status: 'fail', msg: '' }));
    await expect(request('GET', '/api/x')).rejects.toMatchObject({ message: 'Execute fail!', code: 'unexpected' });
    reply(answer({ status: 'fail', msg: 'The table is locked.' }, 500));
    await expect(request('GET', '/api/x')).rejects.toMatchObject({ message: 'The table is locked.', code: '' });
    reply(new Response('oops', { status: 500, headers: { 'Content-Type': 'text/html' } }));
    await expect(request('GET', '/api/x')).rejects.toMatchObject({ code: 'unexpected', status: 500 });
  });

  it('hands over a binary answer as it is', async () => {
    reply(new Response('PAR1', { headers: { 'Content-Type': 'application/octet-stream' } }));
    expect(await request<Blob>('GET', '/api/x')).toMatchObject({ size: 4 });
  });

  it('logs and rejects when the server is not there, without a popup', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    send.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(request('GET', '/api/x')).rejects.toMatchObject({ code: 'network' });
    expect(log).toHaveBeenCalledTimes(1);
    expect(told).toEqual([]);
  });

  it('takes the answer of a proxy whose server is gone as a server that is not there', async () => {
    reply(new Response('<h1>502</h1>', { status: 502, headers: { 'Content-Type': 'text/html' } }));
    await expect(request('GET', '/api/x')).rejects.toMatchObject({ code: 'network' });
    reply(fail(503, 'unavailable', 'The chain is being read.'));
    await expect(request('GET', '/api/x')).rejects.toMatchObject({ code: 'unavailable' });
    expect(told.map(([{ code }]) => code)).toEqual(['unavailable']);
  });

  it('asks for a token that is not in use yet without ending the present login', async () => {
    signIn('old');
    reply(fail(401, 'login_expired', 'Your login status has expired, please sign in again!'));
    await expect(request('GET', '/api/x', { token: 'new' })).rejects.toMatchObject({ expired: true });
    expect(sentHeaders()['Authorization']).toBe('Bearer new');
    expect(told).toEqual([]);
  });

  it('does not let a late answer to an old token end the new login', async () => {
    signIn('old');
    send.mockImplementationOnce(() => {
      signIn('new');
      return Promise.resolve(fail(401, 'login_expired', 'Your login status has expired, please sign in again!'));
    });
    await expect(request('GET', '/api/x')).rejects.toMatchObject({ expired: true });
    expect(told).toEqual([]);
  });

  it('knows a refusal by the end of its message', async () => {
    reply(fail(401, 'unauthenticated', 'Please sign in first: 认证失败，无法访问系统资源'));
    await expect(request('GET', '/api/x')).rejects.toMatchObject({ authentication: true, expired: false });
  });
});
