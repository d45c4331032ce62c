// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { prose } from './support';

test('a description shows its code and stress, not their signs', () => {
  const shown = prose('Splits `text` at **every** `sep`; see [the manual](/docs/sql). 2 * 3 stays, `so does this.');
  expect(shown.innerHTML).toBe('Splits <code>text</code> at <strong>every</strong> <code>sep</code>; see the manual. 2 * 3 stays, `so does this.');
});

test('a description is text, whatever is in it', () => {
  expect(prose('`<img src=x>` <b>').innerHTML).toBe('<code>&lt;img src=x&gt;</code> &lt;b&gt;');
});
