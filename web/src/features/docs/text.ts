// A page's Markdown, cut into what is drawn: prose, headings with anchors, code, and the parts that show live data.
// Code fences say what they are: ```sql run``` has a button for the editor, ```live name``` is drawn by the part of that name.
import { Lexer, type Token } from 'marked';

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly run: boolean; readonly text: string }
  | { readonly kind: 'live'; readonly name: string; readonly args: readonly string[]; readonly text: string }
  | { readonly kind: 'prose'; readonly tokens: readonly Token[] };

export interface DocText {
  readonly title: string;
  /** The sentence below the title. */
  readonly lead: string;
  /** `YYYY-MM-DD` of the last change. */
  readonly date: string;
  readonly blocks: readonly Block[];
}

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
    else if (last?.kind === 'prose') blocks[blocks.length - 1] = { kind: 'prose', tokens: [...last.tokens, token] };
    else if (token.type !== 'space') blocks.push({ kind: 'prose', tokens: [token] });
  }
  return blocks;
}

function blockOf(token: Token): Block | null {
  if (token.type === 'heading') {
    const { depth, text } = token as { depth: number; text: string };
    const [, shown = text, id = slug(text)] = /^(.*?)\s*\{#([\w-]+)\}$/.exec(text) ?? [];
    return { kind: 'heading', level: depth, id, text: shown };
  }
  if (token.type !== 'code') return null;
  const { lang = '', text } = token as { lang?: string; text: string };
  const [language = '', ...words] = lang.split(/\s+/);
  if (language === 'live') return { kind: 'live', name: words[0] ?? '', args: words.slice(1), text };
  return { kind: 'code', language, run: words.includes('run'), text };
}

/** An anchor for a heading that names none itself. */
export const slug = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
