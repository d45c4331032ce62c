import { describe, expect, it } from 'vitest';
import { EMPTY_CATALOGUE } from './catalogue';
import { queryKinds } from './registry';

// The formatter is large: its first import may take long on a busy machine.
describe('query kinds', () => {
  it('has no kind twice', () => {
    const ids = queryKinds.map((kind) => kind.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(queryKinds.map((kind) => [kind.id, kind] as const))('%s starts with a text it can format and complete', async (_, kind) => {
    expect(kind.starter.trim()).not.toBe('');
    await expect(kind.format(kind.starter)).resolves.not.toBe('');
    const language = kind.language(EMPTY_CATALOGUE);
    expect(language.keywords.length).toBeGreaterThan(0);
    expect(language.suggest('', 0, true)).not.toBeNull();
    expect(language.describe(kind.starter, 0)).toBeNull();
  }, 60_000);
});
