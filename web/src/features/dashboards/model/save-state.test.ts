import { describe, expect, it } from 'vitest';
import { isUnsaved, saving, startSaving, type SaveEvent, type SaveState } from './save-state';

type State = SaveState<string, string>;
type Event = SaveEvent<string, string>;

const run = (...events: Event[]): State => events.reduce((state, event) => saving(state, event, Object.is), startSaving<string, string>('a', 3));
const sent: Event = { type: 'sent', document: 'b' };
const edited: Event = { type: 'changed', document: 'b' };

describe('saving by itself', () => {
  it('goes from a change over the way to the server', () => {
    expect(run(edited).phase).toBe('waiting');
    expect(run(edited, sent).phase).toBe('saving');
    expect(run(edited, sent, { type: 'done', revision: 4, at: 99, document: 'b' })).toMatchObject({ phase: 'saved', revision: 4, kept: 'b', savedAt: 99 });
  });

  it('has nothing to save once a change is undone', () => {
    expect(run(edited, { type: 'changed', document: 'a' }).phase).toBe('saved');
  });

  it('still has to save what was changed on the way', () => {
    const state = run(edited, sent, { type: 'changed', document: 'c' }, { type: 'done', revision: 4, at: 1, document: 'c' });
    expect(state).toMatchObject({ phase: 'waiting', kept: 'b', revision: 4 });
  });

  it('tries again after a failure, on the same revision', () => {
    expect(run(edited, sent, { type: 'offline' })).toMatchObject({ phase: 'offline', revision: 3, kept: 'a' });
    expect(run(edited, sent, { type: 'failed', message: 'No.' })).toMatchObject({ phase: 'failed', message: 'No.' });
    expect(run(edited, sent, { type: 'offline' }, sent, { type: 'done', revision: 4, at: 1, document: 'b' }).phase).toBe('saved');
  });

  it('of an older state asks, and nothing is saved before the answer', () => {
    const conflict = run(edited, sent, { type: 'conflict', theirs: 'x' });
    expect(conflict).toMatchObject({ phase: 'conflict', theirs: 'x' });
    expect(saving(conflict, { type: 'changed', document: 'c' }, Object.is)).toBe(conflict);
    expect(saving(conflict, { type: 'mine', revision: 7 }, Object.is)).toMatchObject({ phase: 'waiting', revision: 7, theirs: null });
    expect(saving(conflict, { type: 'replaced', document: 'x', revision: 7 }, Object.is)).toMatchObject({ phase: 'saved', revision: 7, kept: 'x', theirs: null });
  });

  it('says what could be lost', () => {
    expect((['saved', 'waiting', 'saving', 'offline', 'failed', 'conflict'] as const).filter(isUnsaved)).toEqual(['waiting', 'saving', 'offline', 'failed', 'conflict']);
  });
});
