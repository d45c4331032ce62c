// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteDraft } from '@/api/queries';
import { emptyDraft, keepDraft, readDrafts, type Draft } from './drafts';
import { changeDraft, closeTab, findTab, flushTabs, openDraft, startTabs } from './tabs';

vi.mock('@/api/queries', async (original) => ({ ...(await original<object>()), saveDraft: () => Promise.resolve(), deleteDraft: vi.fn(() => Promise.resolve()) }));

beforeEach(() => {
  startTabs('nobody');
  localStorage.clear();
  sessionStorage.clear();
});

it('what a window had open is still open after the page was a visitor’s for a moment', () => {
  startTabs('ada');
  const draft = emptyDraft('SQL', 'select 42', 'ada', 1);
  keepDraft(draft);
  openDraft(draft);
  startTabs('visitor');
  openDraft(emptyDraft('SQL', 'select 1', 'visitor', 2));
  startTabs('ada');
  expect(findTab(() => true)?.text).toBe('select 42');
});

it('what was typed just before another account begins is kept', () => {
  startTabs('ada');
  const draft = emptyDraft('SQL', 'select 1', 'ada', 1);
  openDraft(draft);
  changeDraft(draft.id, { text: 'select 12' });
  startTabs('visitor');
  expect(readDrafts('ada').map(({ text }) => text)).toEqual(['select 12']);
});

describe('two windows with the same draft', () => {
  const kept = () => readDrafts('ada').map((draft) => draft.text).sort();
  const write = (id: string, text: string) => {
    changeDraft(id, { text });
    flushTabs();
  };

  /** A draft that is open here and that another window has changed since. */
  function both(change: Partial<Draft>): Draft {
    startTabs('ada');
    const draft = emptyDraft('SQL', 'select 1', 'ada', 1);
    keepDraft(draft);
    openDraft(draft);
    keepDraft({ ...draft, ...change, changed: 2 });
    return draft;
  }

  it('keep both texts, here under another id, also when the page is loaded again', () => {
    const { id } = both({ text: 'theirs' });
    write(id, 'mine');
    write(id, 'mine, longer');
    expect(kept()).toEqual(['mine, longer', 'theirs']);
    expect(findTab((draft) => draft.id === id)?.text).toBe('mine, longer');
    startTabs('visitor');
    startTabs('ada');
    expect(findTab(() => true)?.text).toBe('mine, longer');
  });

  it('show the other’s text in a tab of its own, each of them once', () => {
    const { id } = both({ text: 'theirs' });
    write(id, 'mine');
    for (const draft of [...readDrafts('ada'), ...readDrafts('ada')]) openDraft(draft);
    const theirs = findTab((draft) => draft.text === 'theirs');
    expect(theirs?.id).not.toBe(id);
    write(theirs?.id ?? '', 'theirs, changed here');
    expect(kept()).toEqual(['mine', 'theirs, changed here']);
    closeTab(theirs?.id ?? '', true);
    expect(kept()).toEqual(['mine']);
    expect(deleteDraft).toHaveBeenCalledExactlyOnceWith(id);
  });

  it('keep one draft where the other changed nothing that was written', () => {
    const { id } = both({ job: { id: 'j', from: 0, text: 'select 1' } });
    changeDraft(id, { values: { n: '2' } });
    flushTabs();
    expect(readDrafts('ada').map((draft) => draft.id)).toEqual([id]);
  });
});

it('a draft that the server has newer than this device goes on as itself', () => {
  startTabs('ada');
  const draft = emptyDraft('SQL', 'old', 'ada', 1);
  keepDraft(draft);
  openDraft({ ...draft, text: 'from the server', changed: 5 });
  changeDraft(draft.id, { text: 'newest' });
  flushTabs();
  expect(readDrafts('ada').map(({ id, text }) => [id, text])).toEqual([[draft.id, 'newest']]);
});
