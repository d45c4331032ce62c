import { afterEach, expect, it, vi } from 'vitest';
import { randomHex } from './random';

afterEach(() => vi.unstubAllGlobals());

it('names are made on pages over plain http too', () => {
  const { crypto } = globalThis;
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) });
  const names = [randomHex(4), randomHex(4), randomHex(16)];
  expect(names.map((name) => name.length)).toEqual([8, 8, 32]);
  expect(names.every((name) => /^[\da-f]+$/.test(name))).toBe(true);
  expect(names[0]).not.toBe(names[1]);
});
