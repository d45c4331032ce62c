// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { draftTitle, emptyDraft, forgetDraft, keepDraft, readDrafts } from './drafts';

beforeEach(() => localStorage.clear());

describe('drafts', () => {
  it('comes back as it was kept, the newest first', () => {
    const first = emptyDraft('SQL', 'select 1', 1);
    const second = { ...emptyDraft('SQL', 'select 2', 2), job: { id: 'j', from: 3, text: 'x' } };
    keepDraft(first);
    keepDraft(second);
    expect(readDrafts()).toEqual([second, first]);
  });

  it('replaces a draft and leaves the others of other windows alone', () => {
    const [one, two] = [emptyDraft('SQL', 'a', 1), emptyDraft('SQL', 'b', 2)];
    keepDraft(one);
    keepDraft(two);
    keepDraft({ ...one, text: 'c', changed: 3 });
    expect(readDrafts().map((draft) => draft.text)).toEqual(['c', 'b']);
    forgetDraft(two.id);
    expect(readDrafts().map((draft) => draft.text)).toEqual(['c']);
  });

  it('keeps the twenty newest', () => {
    for (let index = 0; index < 25; index++) keepDraft(emptyDraft('SQL', String(index), index));
    expect(readDrafts()).toHaveLength(20);
    expect(readDrafts()[0]?.text).toBe('24');
  });

  it('survives a storage that holds something else', () => {
    localStorage.setItem('quarry.drafts', '{broken');
    expect(readDrafts()).toEqual([]);
    localStorage.setItem('quarry.drafts', '[{"id":1}, null]');
    expect(readDrafts()).toEqual([]);
  });

  it('takes its name from the first comment, else from the text', () => {
    expect(draftTitle('\n-- Daily volume\nselect 1')).toBe('Daily volume');
    expect(draftTitle('select 1\n  from blocks')).toBe('select 1 from blocks');
    expect(draftTitle('')).toBe('');
  });
});
