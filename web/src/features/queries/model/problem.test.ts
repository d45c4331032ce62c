import { describe, expect, it } from 'vitest';
import { placeProblem, suggestionIn } from './problem';

const marked = (full: string, position: { line: number; column: number }, ran = full, offset = 0) => {
  const place = placeProblem(position, full, ran, offset);
  return place && { text: full.slice(place.from, place.to), line: place.line, inLine: place.lineText.slice(place.start, place.end) };
};

describe('the place of an error', () => {
  it('is the whole word at line and column', () => {
    expect(marked('select a,\n  sum(am)\nfrom t', { line: 2, column: 7 })).toEqual({ text: 'am', line: 2, inLine: 'am' });
    expect(marked('select "no such" from t', { line: 1, column: 8 })?.text).toBe('"no such"');
    expect(marked("select 'open from t", { line: 1, column: 8 })?.text).toBe("'");
  });

  it('moves by where the selection began', () => {
    const full = 'select 1;\n\nselect wrong\nfrom blocks';
    const offset = full.indexOf('select wrong');
    expect(marked(full, { line: 1, column: 8 }, full.slice(offset), offset)).toEqual({ text: 'wrong', line: 3, inLine: 'wrong' });
    const inner = full.indexOf('wrong');
    expect(marked(full, { line: 1, column: 1 }, 'wrong\nfrom blocks', inner)).toEqual({ text: 'wrong', line: 3, inLine: 'wrong' });
    expect(marked(full, { line: 2, column: 6 }, 'wrong\nfrom blocks', inner)).toEqual({ text: 'blocks', line: 4, inLine: 'blocks' });
  });

  it('counts characters, not UTF-16 units', () => {
    expect(marked("select '🪨🪨', wrong", { line: 1, column: 14 })?.text).toBe('wrong');
    expect(marked("select '链', wrong", { line: 1, column: 13 })?.text).toBe('wrong');
  });

  it('marks the last character when the text ends too early', () => {
    expect(marked('select (', { line: 1, column: 9 })).toEqual({ text: '(', line: 1, inLine: '(' });
    expect(marked('select 1 from\n\n', { line: 3, column: 1 })).toEqual({ text: 'm', line: 1, inLine: 'm' });
    expect(marked('', { line: 1, column: 1 })?.text).toBe('');
    expect(marked('a', { line: 9, column: 9 })?.text).toBe('a');
  });

  it('is nowhere without a position', () => expect(placeProblem(null, 'a', 'a', 0)).toBeNull());

  it('reads the suggested name out of the message', () => {
    expect(suggestionIn('There is no column am. Did you mean amount_usd?')).toBe('amount_usd');
    expect(suggestionIn("No field. Did you mean 't.value'?")).toBe('t.value');
    expect(suggestionIn('There is no table x.')).toBeNull();
  });
});
