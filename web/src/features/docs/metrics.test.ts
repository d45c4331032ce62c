import { afterEach, expect, it, vi } from 'vitest';
import { clearSession, signIn } from '@/lib/session';
import { addressOf, pointsOf, pretty, send } from './metrics';
import { codeLanguages, requestCode } from './request-code';

const answer = (status: number, body: string) => {
  const fetched = vi.fn<(address: string, init: RequestInit) => Promise<Response>>(() => Promise.resolve(new Response(body, { status })));
  vi.stubGlobal('fetch', fetched);
  return fetched;
};

afterEach(() => {
  vi.unstubAllGlobals();
  clearSession();
});

it('leaves out of the address what is empty', () => {
  expect(addressOf('/m', { i: '24h', s: '', u: '', f: 'json' })).toBe('/m?i=24h');
  expect(addressOf('/m', { i: '', s: '1785628800000', u: '2', f: 'csv' })).toBe('/m?s=1785628800000&u=2&f=csv');
});

it.each(codeLanguages)('writes a request in %s with the address and the key from the environment', (language) => {
  const code = requestCode(language, 'https://quarry.example/api/v1/metrics/fees/gas-used-total?i=1w');
  expect(code).toContain('https://quarry.example/api/v1/metrics/fees/gas-used-total?i=1w');
  expect(code).toContain('QUARRY_KEY');
});

it('sends a key when there is one, else the login, and takes a refusal for an answer', async () => {
  signIn('token');
  const fetched = answer(401, '{"msg":"Nö."}');
  const outcome = await send('/m', 'qk');
  expect([outcome.status, outcome.bytes]).toEqual([401, 14]);
  expect(fetched.mock.calls[0]?.[1].headers).toEqual({ 'X-Api-Key': 'qk' });
  await send('/m', '');
  expect(fetched.mock.calls[1]?.[1].headers).toEqual({ Authorization: 'Bearer token' });
});

it('reads points, also those whose values are texts', () => {
  expect(pointsOf('[{"t":1,"v":2},{"t":2,"v":"3.5"},{"t":3,"v":null}]')).toEqual([{ t: 1, v: 2 }, { t: 2, v: 3.5 }, { t: 3, v: null }]);
  expect(pointsOf('{"msg":"no"}')).toBeNull();
  expect(pointsOf('t,v')).toBeNull();
});

it('shows an answer as it was sent, a point on each line', () => {
  expect(pretty('[{"t":1,"v":12345678901234567890.0},{"t":2,"v":null}]')).toBe('[\n  {"t":1,"v":12345678901234567890.0},\n  {"t":2,"v":null}\n]');
  expect(pretty('[]')).toBe('[]');
  expect(pretty('{"status":"fail"}')).toBe('{\n  "status": "fail"\n}');
  expect(pretty('t,v\r\n1,2')).toBe('t,v\r\n1,2');
});
