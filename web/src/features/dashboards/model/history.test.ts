import { describe, expect, it } from 'vitest';
import { changed, redo, startHistory, undo } from './history';

describe('undo and redo', () => {
  it('go back and forth through the changes', () => {
    let history = startHistory('a');
    history = changed(history, 'b', 'move', 0);
    history = changed(history, 'c', 'resize', 10);
    expect(undo(history).now).toBe('b');
    expect(undo(undo(undo(history))).now).toBe('a');
    expect(redo(undo(history)).now).toBe('c');
    expect(redo(history)).toBe(history);
  });

  it('take typing as one step', () => {
    let history = startHistory('');
    for (const [at, text] of ['h', 'hi', 'hi!'].entries()) history = changed(history, text, 'text of a', at * 300);
    expect(undo(history).now).toBe('');
    history = changed(history, 'hi! you', 'text of a', 5000);
    expect(undo(history).now).toBe('hi!');
  });

  it('forget what was undone once something else is done', () => {
    const history = changed(undo(changed(startHistory('a'), 'b', 'x', 0)), 'c', 'y', 1);
    expect(redo(history).now).toBe('c');
  });

  it('hold a hundred steps', () => {
    let history = startHistory(0);
    for (let at = 1; at <= 150; at += 1) history = changed(history, at, `step ${at}`, at);
    for (let at = 0; at < 200; at += 1) history = undo(history);
    expect(history.now).toBe(50);
  });
});
