import { expect, it } from 'vitest';
import { decodeId, encodeId } from './ids';

it.each([['8218', 'ODIxOA'], ['mara_k', 'bWFyYV9r'], ['看板?>', undefined]])('%s survives the link', (id, link) => {
  const text = encodeId(id);
  if (link !== undefined) expect(text).toBe(link);
  expect(text).toMatch(/^[\w-]+$/);
  expect(decodeId(text)).toBe(id);
});

it.each([null, '', 'ODIxOA==', 'O', '%%', 'not base64', '_w', 'ODIxOB'])('%s is no id', (text) => expect(decodeId(text)).toBeNull());
