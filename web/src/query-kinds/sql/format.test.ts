import { expect, it } from 'vitest';
import { formatSql } from './format';

it('breaks clauses into lines and changes no name or text', async () => {
  const text = await formatSql(`SELECT "from", Count(*) FROM transactions WHERE hash = '0xAB' AND value > 100000000000000000000 -- big`);
  expect(text).toContain('select\n  "from",');
  expect(text).toContain("hash = '0xAB'");
  expect(text).toContain('100000000000000000000');
  expect(text).toContain('-- big');
}, 60_000);

it('refuses a text it cannot read instead of changing it', async () => {
  await expect(formatSql("select 'open")).rejects.toThrow();
}, 60_000);
