// A page's Markdown, cut into what is drawn: prose, headings with anchors, code, and the parts that show live data.
// Code fences say what they are: ```sql run``` has a button for the editor, ```live name``` is drawn by the part of that name.
// Only the build and the tests read Markdown; no page imports this file.
import { Lexer, type Token, type Tokens } from 'marked';
import type { Block, DocText, Part } from './text';

const front = /^---\n([\s\S]*?)\n---\n/;

/** Reads a text of `data/docs`: front matter (`title`, `lead`, `order`, `date`), then Markdown. */
export function readText(source: string): DocText {
  const head = front.exec(source);
  const fields = new Map((head?.[1] ?? '').split('\n').map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]));
  return {
    title: fields.get('title') ?? '',
    lead: fields.get('lead') ?? '',
    date: fields.get('date') ?? '',
    blocks: cut(new Lexer({ gfm: true }).lex(source.slice(head?.[0].length ?? 0))),
  };
}

function cut(tokens: readonly Token[]): Block[] {
  const blocks: Block[] = [];
  for (const token of tokens) {
    const block = blockOf(token);
    const last = blocks.at(-1);
    if (block) blocks.push(block);
    else if (last?.kind === 'prose') blocks[blocks.length - 1] = { kind: 'prose', parts: [...last.parts, ...partsOf(token)] };
    else if (token.type !== 'space') blocks.push({ kind: 'prose', parts: partsOf(token) });
  }
  return blocks;
}

function blockOf(token: Token): Block | null {
  if (token.type === 'heading') {
    const { depth, text } = token as Tokens.Heading;
    const [, shown = text, id = slug(text)] = /^(.*?)\s*\{#([\w-]+)\}$/.exec(text) ?? [];
    return { kind: 'heading', level: depth, id, text: shown };
  }
  if (token.type !== 'code') return null;
  const { lang = '', text } = token as Tokens.Code;
  const [language = '', ...words] = lang.split(/\s+/);
  if (language === 'live') return { kind: 'live', name: words[0] ?? '', args: words.slice(1), text };
  return { kind: 'code', language, run: words.includes('run'), text };
}

/** An anchor for a heading that names none itself. */
const slug = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');

const all = (tokens: readonly Token[] | undefined): Part[] => (tokens ?? []).flatMap(partsOf);

/** Of all that Markdown can say, what the manuals use. Anything else, HTML above all, fails the build. */
function partsOf(token: Token): Part[] {
  switch (token.type) {
    case 'space':
      return [];
    case 'paragraph':
    case 'strong':
    case 'em':
    case 'blockquote':
      return [{ is: token.type, parts: all((token as Tokens.Paragraph).tokens) }];
    case 'codespan':
      return [{ is: 'code', text: (token as Tokens.Codespan).text }];
    case 'br':
      return [{ is: 'break' }];
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      return [{ is: 'list', ordered, items: items.map(({ tokens }) => all(tokens)) }];
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [{ is: 'table', head: header.map(({ tokens }) => all(tokens)), rows: rows.map((row) => row.map(({ tokens }) => all(tokens))) }];
    }
    case 'link': {
      const { href, tokens } = token as Tokens.Link;
      return [{ is: 'link', to: href, parts: all(tokens) }];
    }
    case 'image': {
      const { href, text } = token as Tokens.Image;
      return [{ is: 'image', file: href, text }];
    }
    case 'text': {
      const { text, tokens } = token as Tokens.Text;
      return tokens ? all(tokens) : [text];
    }
    case 'escape':
      return [(token as Tokens.Escape).text];
    default:
      throw new Error(`The manuals have no way to show this (${token.type}): ${token.raw}`);
  }
}
