/** SQL text cut into tokens with their places; unfinished strings and comments simply reach to the end. */

export interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'comment' | 'sign';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const TOKEN =
  /(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|('(?:[^']|'')*(?:'|$))|("(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$))|(0x[0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_$]*)|(\S)/gu;

const KINDS = ['comment', 'string', 'quoted', 'number', 'word', 'sign'] as const;

/** Appends the tokens of the text from `from` on, to its end or to the first semicolon at or behind `enough`. */
function read(text: string, from: number, enough: number, tokens: Token[]): void {
  TOKEN.lastIndex = from;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const kind = KINDS[match.indexOf(match[0], 1) - 1] ?? 'sign';
    tokens.push({ kind, text: match[0], from: match.index, to: match.index + match[0].length });
    if (match[0] === ';' && match.index >= enough) return;
  }
}

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  read(text, 0, Infinity, tokens);
  return tokens;
}

/** The text that was read last and the tokens of its beginning: a key changes little of a long text. */
let known: { text: string; tokens: Token[] } = { text: '', tokens: [] };
/** Tokens before a change that are read again: what they are may follow from the letters behind them. */
const MARGIN = 3;

/** The tokens up to the first semicolon at or behind the offset, and maybe some more. */
function tokensTo(text: string, offset: number): readonly Token[] {
  const shorter = Math.min(text.length, known.text.length);
  let same = 0;
  if (text === known.text) same = shorter;
  else while (same < shorter && text.charCodeAt(same) === known.text.charCodeAt(same)) same += 1;
  let tokens = known.tokens;
  if (same < known.text.length || same < text.length) tokens = tokens.slice(0, Math.max(0, firstBehind(tokens, same) - MARGIN));
  const last = tokens.at(-1);
  if (!last || last.text !== ';' || last.from < offset) read(text, last?.to ?? 0, offset, tokens);
  known = { text, tokens };
  return tokens;
}

/** Index of the first token that ends at or behind the place. */
function firstBehind(tokens: readonly Token[], place: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.to ?? 0) >= place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The name a word or a quoted identifier stands for; null for anything else. Unquoted names are lower case, as the engine reads them. */
export function nameOf(token: Token | undefined): string | null {
  if (token?.kind === 'word') return token.text.toLowerCase();
  if (token?.kind === 'quoted') return token.text.slice(1).replace(/["`]$/, '').replaceAll('""', '"');
  return null;
}

export const isWord = (token: Token | undefined, ...words: string[]): boolean => token?.kind === 'word' && words.includes(token.text.toLowerCase());

export const isSign = (token: Token | undefined, sign: string): boolean => token?.kind === 'sign' && token.text === sign;

/** The statement (between semicolons) that holds the offset, without comments. */
export function statementAt(text: string, offset: number): Token[] {
  const tokens = tokensTo(text, offset);
  let start = firstBehind(tokens, offset + 1);
  while (start > 0 && !isSign(tokens[start - 1], ';')) start -= 1;
  let end = start;
  while (end < tokens.length && !isSign(tokens[end], ';')) end += 1;
  return tokens.slice(start, end).filter((token) => token.kind !== 'comment');
}

/** Whether the offset is inside a string or a comment, where nothing is suggested. */
export function insideText(text: string, offset: number): boolean {
  const tokens = tokensTo(text, offset);
  const token = tokens[firstBehind(tokens, offset)];
  if (!token || token.from >= offset || (token.kind !== 'string' && token.kind !== 'comment')) return false;
  const open = token.kind === 'comment' ? token.text.startsWith('--') || !token.text.endsWith('*/') : token.text.length < 2 || !token.text.endsWith("'");
  return open ? offset <= token.to : offset < token.to;
}
