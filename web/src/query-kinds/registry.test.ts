import { describe, expect, it } from 'vitest';
import { EMPTY_CATALOGUE } from './catalogue';
import { queryKinds } from './registry';

// The formatter is large: its first import may take long on a busy machine.
describe('query kinds', () => {
  it('has no kind twice', () => {
    const ids = queryKinds.map((kind) => kind.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(queryKinds.filter((kind) => !kind.form).map((kind) => [kind.id, kind] as const))('%s starts with a text it can format and complete', async (_, kind) => {
    expect(kind.starter.trim()).not.toBe('');
    await expect(kind.format(kind.starter)).resolves.not.toBe('');
    const language = kind.language(EMPTY_CATALOGUE);
    expect(language.keywords.length).toBeGreaterThan(0);
    expect(language.suggest('', 0, true)).not.toBeNull();
    expect(language.describe(kind.starter, 0)).toBeNull();
  }, 60_000);

  it('says of every form what it begins with and whether it can run', () => {
    const forms = queryKinds.flatMap((kind) => kind.form ?? []);
    expect(forms.filter((form) => form.complete(form.first()))).toEqual([]);
    expect(forms.filter((form) => form.titleOf(form.first()) !== '')).toEqual([]);
  });
});
