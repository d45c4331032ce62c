// Rich text between its stored form, blocks of spans, and the document of the editor.
import type { JSONContent } from '@tiptap/react';
import { isAllowedLink } from '@/lib/links';
import type { RichBlock, Span } from '../api';

const marks = [
  ['bold', 'bold'],
  ['italic', 'italic'],
  ['underline', 'underline'],
  ['strike', 'strike'],
  ['code', 'code'],
] as const;

const plain: Span = { text: '', bold: false, italic: false, underline: false, strike: false, code: false, link: null };

/** The editor's document of stored blocks. */
export function toEditor(blocks: readonly RichBlock[]): JSONContent {
  return { type: 'doc', content: blocks.length === 0 ? [{ type: 'paragraph' }] : blocks.map(node) };
}

function node(block: RichBlock): JSONContent {
  switch (block.type) {
    case 'paragraph':
      return { type: 'paragraph', content: texts(block.spans) };
    case 'heading':
      return { type: 'heading', attrs: { level: block.level }, content: texts(block.spans) };
    case 'quote':
      return { type: 'blockquote', content: [{ type: 'paragraph', content: texts(block.spans) }] };
    case 'code':
      return { type: 'codeBlock', content: block.text === '' ? [] : [{ type: 'text', text: block.text }] };
    case 'divider':
      return { type: 'horizontalRule' };
    case 'list':
      return { type: block.ordered ? 'orderedList' : 'bulletList', content: block.items.map((item) => ({ type: 'listItem', content: [{ type: 'paragraph', content: texts(item) }] })) };
  }
}

function texts(spans: readonly Span[]): JSONContent[] {
  return spans
    .filter(({ text }) => text)
    .map((span) => {
      const on: JSONContent['marks'] = marks.filter(([key]) => span[key]).map(([, type]) => ({ type }));
      if (span.link) on.push({ type: 'link', attrs: { href: span.link } });
      return { type: 'text', text: span.text, ...(on.length > 0 ? { marks: on } : {}) };
    });
}

/** The blocks of an editor's document; what blocks have no form for becomes paragraphs. */
export function toBlocks(document: JSONContent): RichBlock[] {
  return (document.content ?? []).flatMap(blocksOf);
}

function blocksOf(one: JSONContent): RichBlock[] {
  switch (one.type) {
    case 'heading':
      return [{ type: 'heading', level: Math.min(Math.max(Number(one.attrs?.['level'] ?? 2), 1), 4), spans: spansOf(one) }];
    case 'blockquote':
      return (one.content ?? []).map((inner) => ({ type: 'quote', spans: spansOf(inner) }));
    case 'codeBlock':
      return [{ type: 'code', text: (one.content ?? []).map(({ text }) => text ?? '').join('') }];
    case 'horizontalRule':
      return [{ type: 'divider' }];
    case 'bulletList':
    case 'orderedList':
      return [{ type: 'list', ordered: one.type === 'orderedList', items: itemsOf(one) }];
    default:
      return [{ type: 'paragraph', spans: spansOf(one) }];
  }
}

/** Lists have one level: what hangs below an item follows it. */
function itemsOf(list: JSONContent): Span[][] {
  return (list.content ?? []).flatMap((item) => {
    const own = (item.content ?? []).filter(({ type }) => type !== 'bulletList' && type !== 'orderedList').flatMap(spansOf);
    const below = (item.content ?? []).filter(({ type }) => type === 'bulletList' || type === 'orderedList').flatMap(itemsOf);
    return [own, ...below];
  });
}

function spansOf(parent: JSONContent): Span[] {
  return (parent.content ?? []).flatMap((inner): Span[] => {
    if (inner.type === 'hardBreak') return [{ ...plain, text: '\n' }];
    if (inner.type !== 'text') return spansOf(inner);
    const span: Span = { ...plain, text: inner.text ?? '' };
    for (const mark of inner.marks ?? []) {
      const known = marks.find(([, type]) => type === mark.type);
      if (known) span[known[0]] = true;
      const href: unknown = mark.attrs?.['href'];
      if (mark.type === 'link' && typeof href === 'string' && isAllowedLink(href)) span.link = href;
    }
    return [span];
  });
}
