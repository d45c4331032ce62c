/** Completion and hover of Cypher: what can stand at a place, by the signs and words before it. */
import type { Description, Suggestion, Suggestions } from '@/ui/editor/language';
import { EDGE_PROPERTIES, FUNCTIONS, KEYWORDS, LABELS, NODE_PROPERTIES, PROCEDURES, TYPES, type Word } from './vocabulary';

interface Token {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly kind: 'word' | 'text' | 'comment' | 'sign';
}

const TOKEN = /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<text>'(?:[^'\\]|\\.)*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$))|(?<word>`[^`]*`?|[\p{L}_][\p{L}\p{N}_]*)|(?<sign>\S)/gu;

export function tokenize(source: string): Token[] {
  return [...source.matchAll(TOKEN)].map((match) => {
    const kind = (Object.entries(match.groups ?? {}).find(([, value]) => Boolean(value))?.[0] ?? 'sign') as Token['kind'];
    return { text: match[0], kind, from: match.index, to: match.index + match[0].length };
  });
}

const option = (kind: Suggestion['kind'], rank: number, detail = '') => ({ name, doc }: Word): Suggestion => ({ label: name, kind, insert: name, detail, doc, rank });

const NAMES = {
  labels: LABELS.map(option('table', 3, 'label')),
  types: TYPES.map(option('table', 3, 'type')),
  node: NODE_PROPERTIES.map(option('column', 4, 'node')),
  edge: EDGE_PROPERTIES.map(option('column', 4, 'edge')),
  procedures: PROCEDURES.map((one): Suggestion => ({ label: one.name, kind: 'function', insert: `${one.name}()`, caret: one.name.length + (one.signature.includes('()') ? 2 : 1), detail: one.columns.join(', '), doc: one.doc, rank: 3 })),
  functions: FUNCTIONS.map((one): Suggestion => ({ label: one.name, kind: 'function', insert: `${one.name}()`, caret: one.name.length + 1, detail: one.signature, doc: one.doc, rank: 1 })),
  keywords: KEYWORDS.map((word): Suggestion => ({ label: word, kind: 'keyword', insert: word, detail: '', doc: '', rank: 0 })),
};

/** Variables of the text and whether each is a node or an edge, by the bracket it first stood in. */
export function variablesIn(tokens: readonly Token[]): Map<string, 'node' | 'edge' | 'other'> {
  const found = new Map<string, 'node' | 'edge' | 'other'>();
  tokens.forEach((token, index) => {
    const [before, after] = [tokens[index - 1]?.text, tokens[index + 1]?.text ?? ''];
    if (token.kind !== 'word' || found.has(token.text)) return;
    const opened = index < 2 || tokens[index - 2]?.kind !== 'word' || /^(match|where|and|or|not|exists|count|shortestpath|allshortestpaths)$/i.test(tokens[index - 2]?.text ?? '');
    if (before === '(' && opened && /^[:){]$/.test(after)) found.set(token.text, 'node');
    else if (before === '[' && /^[:*\]{]$/.test(after)) found.set(token.text, 'edge');
    else if (/^as$/i.test(before ?? '') || (after === '=' && tokens[index + 2]?.text === '(')) found.set(token.text, 'other');
  });
  return found;
}

/** The bracket that is open at the end of the tokens: `(`, `[`, `{` or none. */
function openBracket(tokens: readonly Token[]): string | undefined {
  const open: string[] = [];
  for (const { text } of tokens) {
    if ('([{'.includes(text)) open.push(text);
    else if (')]}'.includes(text)) open.pop();
  }
  return open.at(-1);
}

/** Suggestions at the offset; null inside texts and comments, and for an empty word nobody asked about. */
export function suggest(source: string, offset: number, asked: boolean): Suggestions | null {
  const all = tokenize(source);
  if (all.some((token) => (token.kind === 'text' || token.kind === 'comment') && token.from < offset && offset < token.to + (token.text.startsWith('//') ? 1 : 0))) return null;
  const typed = /[\p{L}\p{N}_]*$/u.exec(source.slice(0, offset))?.[0] ?? '';
  if (/^\d/.test(typed)) return null;
  const from = offset - typed.length;
  const before = all.filter((token) => token.to <= from && token.kind !== 'comment');
  const last = before.at(-1);
  if (last?.text === '$') return null;
  const called = callBefore(before);
  if (called !== null) return { from: called.from ?? from, options: NAMES.procedures };
  if (last?.text === ':' || last?.text === '|') {
    const bracket = openBracket(before);
    return { from, options: bracket === '[' ? NAMES.types : bracket === '{' ? [] : NAMES.labels };
  }
  const variables = variablesIn(all);
  if (last?.text === '.') {
    const kind = variables.get(before.at(-2)?.text ?? '');
    return { from, options: kind === 'node' ? NAMES.node : kind === 'edge' ? NAMES.edge : [...NAMES.node, ...NAMES.edge.filter(({ label }) => !NODE_PROPERTIES.some(({ name }) => name === label))] };
  }
  if (/^yield$/i.test(last?.text ?? '')) {
    const procedure = PROCEDURES.find((one) => before.map(({ text }) => text).join('').includes(one.name));
    return { from, options: (procedure?.columns ?? []).map((name) => option('column', 4)({ name, doc: procedure?.signature ?? '' })) };
  }
  if (typed === '' && !asked) return null;
  const own = [...variables.keys()].filter((name) => name !== typed).map((name) => option('table', 4, variables.get(name) ?? '')({ name, doc: '' }));
  return { from, options: [...own, ...NAMES.functions, ...NAMES.keywords] };
}

/** Where the name of a procedure begins after CALL, if that is what is being written; `from` is its first part. */
function callBefore(before: readonly Token[]): { from?: number } | null {
  const last = before.at(-1);
  if (/^call$/i.test(last?.text ?? '')) return {};
  if (last?.text !== '.' || !/^call$/i.test(before.at(-3)?.text ?? '')) return null;
  const start = before.at(-2)?.from;
  return start === undefined ? null : { from: start };
}

/** What the name at the offset means. */
export function describe(source: string, offset: number): Description | null {
  const tokens = tokenize(source);
  const at = tokens.findIndex((token) => token.kind === 'word' && token.from <= offset && offset <= token.to);
  const token = tokens[at];
  if (!token) return null;
  const [before, after] = [tokens[at - 1]?.text, tokens[at + 1]?.text];
  const place = { from: token.from, to: token.to };
  if (after === '(' || after === '.' || before === '.') {
    const dotted = before === '.' ? `${tokens[at - 2]?.text ?? ''}.${token.text}` : after === '.' ? `${token.text}.${tokens[at + 2]?.text ?? ''}` : token.text;
    const known = PROCEDURES.find((one) => one.name === dotted) ?? (after === '(' ? FUNCTIONS.find((one) => one.name.toLowerCase() === token.text.toLowerCase()) : undefined);
    if (known) return { ...place, title: known.signature, detail: known.kind, doc: known.doc, example: known.example };
  }
  const lists: [readonly Word[], string][] = before === '.' ? [[NODE_PROPERTIES, 'node'], [EDGE_PROPERTIES, 'edge']] : before === ':' || before === '|' ? [[LABELS, 'label'], [TYPES, 'type']] : [];
  for (const [list, detail] of lists) {
    const word = list.find((one) => one.name === token.text);
    if (word) return { ...place, title: word.name, detail, doc: word.doc, example: '' };
  }
  return null;
}
