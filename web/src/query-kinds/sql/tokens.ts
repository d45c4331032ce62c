/** SQL text cut into tokens with their places; unfinished strings and comments simply reach to the end. */

export interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'comment' | 'sign';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const TOKEN =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>'(?:[^']|'')*(?:'|$))|(?<quoted>"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$))|(?<number>0x[0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<sign>\S)/gu;

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, value]) => Boolean(value)) ?? ['sign'];
    tokens.push({ kind: kind as Token['kind'], text: match[0], from: match.index, to: match.index + match[0].length });
  }
  return tokens;
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
  const tokens = tokenize(text).filter((token) => token.kind !== 'comment');
  const start = tokens.findLastIndex((token) => isSign(token, ';') && token.to <= offset) + 1;
  const next = tokens.findIndex((token, index) => index >= start && isSign(token, ';'));
  return tokens.slice(start, next < 0 ? tokens.length : next);
}

/** Whether the offset is inside a string or a comment, where nothing is suggested. */
export function insideText(text: string, offset: number): boolean {
  return tokenize(text).some((token) => {
    if (token.kind !== 'string' && token.kind !== 'comment') return false;
    const open = token.kind === 'comment' ? token.text.startsWith('--') || !token.text.endsWith('*/') : token.text.length < 2 || !token.text.endsWith("'");
    return token.from < offset && (open ? offset <= token.to : offset < token.to);
  });
}
