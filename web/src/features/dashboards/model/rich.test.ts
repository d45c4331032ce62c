import { describe, expect, it } from 'vitest';
import type { RichBlock, Span } from '../api';
import { toBlocks, toEditor } from './rich';

const span = (text: string, look: Partial<Span> = {}): Span => ({ text, bold: false, italic: false, underline: false, strike: false, code: false, link: null, ...look });

const blocks: RichBlock[] = [
  { type: 'heading', level: 2, spans: [span('Gas')] },
  { type: 'paragraph', spans: [span('see '), span('this', { bold: true, italic: true, link: 'https://a.b' })] },
  { type: 'list', ordered: true, items: [[span('one')], [span('two', { code: true })]] },
  { type: 'quote', spans: [span('said', { underline: true, strike: true })] },
  { type: 'code', text: 'select 1' },
  { type: 'divider' },
];

describe('rich text', () => {
  it('comes back from the editor as it went in', () => {
    expect(toBlocks(toEditor(blocks))).toEqual(blocks);
  });

  it('is an empty paragraph to begin with', () => {
    expect(toEditor([])).toEqual({ type: 'doc', content: [{ type: 'paragraph' }] });
  });

  it('keeps links of four kinds and the words of the others', () => {
    const linked = (href: string) => toBlocks({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] }] }] });
    expect(linked('tel:+1')).toEqual([{ type: 'paragraph', spans: [span('x', { link: 'tel:+1' })] }]);
    expect(linked('javascript:alert(1)')).toEqual([{ type: 'paragraph', spans: [span('x')] }]);
  });

  it('has lists of one level', () => {
    const item = (text: string, ...below: object[]) => ({ type: 'listItem', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }, ...below] });
    const nested = { type: 'doc', content: [{ type: 'bulletList', content: [item('a', { type: 'bulletList', content: [item('b')] }), item('c')] }] };
    expect(toBlocks(nested)).toEqual([{ type: 'list', ordered: false, items: [[span('a')], [span('b')], [span('c')]] }]);
  });
});
