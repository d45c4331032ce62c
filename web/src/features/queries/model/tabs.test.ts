// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { emptyDraft, keepDraft } from './drafts';
import { findTab, openDraft, startTabs } from './tabs';

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
