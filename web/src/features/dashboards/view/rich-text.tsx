// Rich text as it is stored: blocks of spans, drawn as elements, so that nothing in it can be a script.
import { createElement, Fragment, type ReactNode } from 'react';
import { isAllowedLink } from '@/lib/links';
import { proseClass } from '@/ui/prose';
import type { RichBlock, Span } from '../api';

export function RichText({ blocks }: { blocks: readonly RichBlock[] }) {
  return (
    <div className={proseClass}>
      {blocks.map((block, at) => (
        <Fragment key={at}>{drawn(block)}</Fragment>
      ))}
    </div>
  );
}

function drawn(block: RichBlock): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return <p>{spans(block.spans)}</p>;
    case 'heading':
      // The page has the first two levels.
      return createElement(`h${Math.min(block.level + 2, 6)}`, null, spans(block.spans));
    case 'quote':
      return <blockquote>{spans(block.spans)}</blockquote>;
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case 'divider':
      return <hr />;
    case 'list':
      return createElement(
        block.ordered ? 'ol' : 'ul',
        null,
        block.items.map((item, at) => <li key={at}>{spans(item)}</li>),
      );
  }
}

const spans = (all: readonly Span[]): ReactNode => all.map((span, at) => <Fragment key={at}>{dressed(span)}</Fragment>);

function dressed({ text, bold, italic, underline, strike, code, link }: Span): ReactNode {
  let node: ReactNode = text;
  if (code) node = <code>{node}</code>;
  if (bold) node = <strong>{node}</strong>;
  if (italic) node = <em>{node}</em>;
  if (underline) node = <u>{node}</u>;
  if (strike) node = <s>{node}</s>;
  if (link && isAllowedLink(link)) {
    node = (
      <a href={link} target="_blank" rel="noopener noreferrer nofollow">
        {node}
      </a>
    );
  }
  return node;
}
