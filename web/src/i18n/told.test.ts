// @vitest-environment jsdom
// Every sentence with which the engine, the API and the ingest refuse something has Chinese. They are looked for in the sources: what ends as a
// sentence does, what is given to a maker of errors, and the parts that become sentences in it.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { setLanguage, startLanguage } from '.';
import { errors } from './en/errors';
import { loadFailures, readyRefusals, refusalText, type TellFailure } from './failures';
import failures from './zh/failures.json';
import refusals from './zh/refusals.json';

const root = path.resolve(import.meta.dirname, '../../..');

/** Files whose sentences are not for somebody who reads a Chinese page. */
const unseen: readonly [where: RegExp, why: string][] = [
  [/\/tests(\/|\.rs$)/, 'tests'],
  [/^engine\/[a-z]+\/src\/[a-z]+\/document\.rs/, 'documents written from the code'],
  [/^engine\/(planner\/src\/pipeline\/|sql\/src\/(pipeline\/|rewrite\/steps|explain_steps)|hive\/src\/rewrite\/steps)/, 'the command line: steps of a query'],
  [/^engine\/(metrics\/src\/(address|blockchain|ether|fees|market|mining|protocols|supply|tokens|transactions)\.rs|label_rules\/src\/rules\/|lake\/src\/tables\/)/, 'documentation, which has Chinese of its own'],
  [/^engine\/sql\/src\/macros\//, 'documentation, which has Chinese of its own'],
  [/^engine\/lake\/src\/known_contracts/, 'the command line: quarry lake contracts'],
  [/^engine\/engine\/src\/(catalog|engine)\.rs/, 'what a program attaches to the engine'],
  [/^engine\/cluster\/src\/(coordinator|headers|wire|network)/, 'lines of the log of a job, messages between processes, and the command line'],
  [/^ingest\/src\/(import|sample|testing|decode|chain)/, 'the command line: imports and the sample chain'],
  [/^api\/src\/(cli|config|db)\//, 'the command line, settings and backups'],
  [/^api\/src\/(postgres|node)\//, 'clients of PostgreSQL and of the node'],
  [/^api\/src\/(http\/(document|assets|counts|slow)|features\/(health|chain))/, 'programs that speak HTTP'],
  [/^api\/src\/(assistant|labels|starter)\//, 'content, in both languages'],
  [/^api\/src\/ws\//, 'the websocket, whose refusals are told by their codes'],
];

/** Calls that are given documentation, lines of the log, or what never happens. */
const aside = /^doc$|^(part|encoding)!$|^(assert\w*|panic|unreachable|bail|ensure|tracing::\w+)!$|expect$|^(text:|col|opt|tx_opt|List::new|NoOperation::boxed|utoipa::path|responses|context\.log|self\.context\.log)$/;

/** Calls that are given sentences, whatever these end with. */
const makers = /(^|[.:])(invalid|refuse|refused|out_of_range|too_complex|not_allowed|bad)$|(^|:)(ApiError::invalid|Error::new|Value::Error)$/;

/** Where parts of sentences are written: the file, the call with the place of its argument or the field; and what they become. */
const parts: readonly [where: RegExp, call: RegExp, place: number, becomes: (words: string) => string][] = [
  [/cypher\/src\/functions\//, /(^|[.:])wrong$/, 1, (words) => `abs expects ${words}, got a value of type MAP.`],
  [/cypher\/src\/procedures\//, /^wrong$/, 1, (words) => `types must be ${words}, not a value of type MAP.`],
  [/cypher\/src\/semantic_analysis\//, /unsupported$/, 0, (words) => `${words} is not supported here.`],
  [/cypher\/src\/semantic_analysis\//, /unknown$/, 1, (words) => `There is no ${words} one. Available: other.`],
  [/cypher\/src\/values\/value_type/, /^$/, 0, (words) => `degree does not accept ${words}.`],
  [/cypher\/src\/graph\/json_file/, /^bad$/, 0, (words) => `The graph file can't be used: ${words}.`],
  [/(cypher\/src\/values|sql\/src)\/parameters/, /^wrong$/, 0, (words) => `The value of the parameter p is not a valid ${words}.`],
  [/sql\/src\/read_only/, /^only_reading$/, 0, (words) => `${words} is not allowed: queries are read-only.`],
  [/hive\/src\/cursor/, /syntax$/, 0, (words) => `Syntax error. Expected ${words}, found 'x'.`],
  [/mapreduce\//, /refuse$/, 0, (words) => `TypeError: ${words}.`],
  [/mapreduce\/src\/batch_sums/, /^Error::new$/, 1, (words) => `TypeError: ${words}.`],
  [/hive\/ngrams/, /^whole_number$/, 2, (words) => `${words} must be a constant from 1 to 9.`],
  [/probability/, /^check_positive$/, 1, (words) => `${words} must be a number greater than 0.`],
  [/functions\/src\/lambdas/, /^arguments:$/, 0, (words) => `map_filter expects ${words}.`],
  [/lake\/src\//, /\.damaged$/, 0, (words) => `The file x.parquet of table logs is damaged: ${words}.`],
  [/api\/src\//, /not_found$/, 0, (words) => `There is no such ${words}.`],
  [/api\/src\/http\/import/, /^wrong$/, 1, (words) => `Line 2 of the file can't be used: ${words}.`],
  [/api\/src\/http\/fault/, /^about$/, 1, (words) => `size ${words}.`],
];

/** Sentences whose places can't be filled with any word, and parts of sentences: as somebody reads them. */
const examples: Record<string, readonly string[]> = {
  ' Did you mean {near}?': ['There is no label Adress. Did you mean Address?'],
  ' Available: {}.': ['There is no label Adress. Available: Address, Contract.'],
  "'{text}' is not a valid {}.": ["'x' is not a valid localdatetime."],
  'The parameter {name} must be {whole} from {min} to {max}.': ['The parameter days must be an integer from 1 to 9.', 'The parameter share must be a number from 0 to 1.'],
  'The string is not valid {}.': ['The string is not valid base32.', 'The string is not valid URL-safe base64.'],
  'The file {name} of table {table} is damaged: {why}. Run `quarry ingest --overwrite --from {from} --to {to}` to ingest its blocks again.': [
    "The file x.parquet of table logs is damaged: it can't be read. Run `quarry ingest --overwrite --from 0 --to 99` to ingest its blocks again.",
  ],
  'There is no {what} {name}.': ['table', 'column', 'function', 'label', 'property', 'relationship type'].map((what) => `There is no ${what} x.`),
  'There is no {what} {name}. Did you mean {near}?': ['table', 'column', 'function'].map((what) => `There is no ${what} x. Did you mean y?`),
  'There is no such {what}.': ['query', 'visualization', 'graph', 'dashboard', 'project'].map((what) => `There is no such ${what}.`),
  'There is no {} to run.': ['There is no reducer to run.'],
  'is an aggregate, which is not allowed in WHERE; filter by it with HAVING.': ['The column n is an aggregate, which is not allowed in WHERE; filter by it with HAVING.'],
  'has a different value each time it is evaluated; compute it in a subquery in FROM to use it twice.': ['The column n has a different value each time it is evaluated; compute it in a subquery in FROM to use it twice.'],
  '{name} can\'t be {number}.': ["month can't be 13."],
  '{name} must be a number.': ['days must be a number.'],
  '{subject} {predicate}.': ['size is not an integer.', 'name is not a string.', 'name is one of first, last.'],
  '{} It was called with a batch of {} rows.': ['mapper, line 3: TypeError: a key is undefined. It was called with a batch of 9 rows.'],
  '{} The key was {}.': ['reducer: TypeError: a key is undefined. The key was "a".'],
  '{} is not supported.': ['GRANT is not supported.'],
  '{} does not accept {}.': ['degree does not accept a list of relationships.'],
  "{} is {} and can't be a node.": ["r is a relationship and can't be a node."],
  "{} is {} and can't be {}.": ["n is a node and can't be a relationship."],
  '{} expects {}.': ['map_filter expects a map and a lambda such as (key, value) -> value.'],
};

const neverComes = 'can not happen';
const byItsCode = 'the code says it';

/** Sentences that nobody reads on a Chinese page, and why. */
const exceptions: Record<string, string> = {
  'Agreeing to the rules is required.': byItsCode,
  'Only its owner may change this {}.': byItsCode,
  'Send successfully!': 'of a success, which the page tells itself',
  'The body of this call is JSON: Content-Type is application/json.': byItsCode,
  "The folder {} can't be used for results: {error}.": 'when the server starts',
  'The file {certificate} holds no certificate in PEM format.': 'when the server starts',
  "The certificate {certificate} can't be read: {}.": 'when the server starts',
  'The file {key} holds no private key in PEM format.': 'when the server starts',
  "The private key {key} can't be read: {}.": 'when the server starts',
  'The private key {key} does not belong to the certificate {certificate}.': 'when the server starts',
  "The certificate {certificate} can't be used with the private key {key}: {error}.": 'when the server starts',
  "The TLS certificate {} can't be made: {why}.": 'when the server starts',
  '{} MB of memory at the peak.': 'a line of the log of a job',
  'The metrics are being computed; please try again in a moment.': byItsCode,
  'The request is too large: a text and its settings may have 1 MB together.': byItsCode,
  'There is a function {name}; the language manual of Hive describes it.': 'a row of DESCRIBE FUNCTION, in English as all of Hive',
  'The lake belongs to no chain yet, so it has no known contracts.': 'the command line',
  'There is a job {} already.': neverComes,
  'TypeError: stopped.': 'a job that was stopped, which its state tells',
  'Your account does not have the permission for this.': byItsCode,
  'rows are structs': neverComes,
  '{error} Trying again.': 'the log',
};

interface Call {
  readonly name: string;
  place: number;
}

interface Literal {
  readonly words: string;
  readonly line: number;
  /** The calls around it, the innermost last. */
  readonly calls: readonly Call[];
}

const token = /(?<space>\s+|\/\/[^\n]*|\/\*.*?\*\/)|(?<text>b?r(?<hashes>#*)".*?"\k<hashes>|b?"(?:[^"\\]|\\.)*")|(?<letter>b?'(?:[^'\\\n]|\\(?:u\{[^}]*\}|x..|.))')|[A-Za-z_]\w*|\d[\w.]*|./gsu;

/** What a literal of Rust says, with a word for each place that `format!` fills. */
function said(literal: string): string {
  const raw = /^b?r(#*)"(.*)"\1$/su.exec(literal)?.[2];
  if (raw !== undefined) return raw;
  const escapes: Record<string, string> = { n: '\n', t: '\t', '0': '\0', r: '\r' };
  return literal.replace(/^b?"|"$/gu, '').replace(/\\\n\s*/gu, '').replace(/\\(.)/gsu, (_, letter: string) => escapes[letter] ?? letter);
}

/** The name that stands before a bracket: `self.invalid`, `format!`. */
function called(tokens: readonly string[], at: number): string {
  let from = at;
  const before = () => tokens[from - 1] ?? '';
  while (/^[\w.!]+$/u.test(before()) || (before() === ':' && (tokens[from - 2] === ':' || tokens[from] === ':'))) {
    if (/^(return|Err|in|if|else|match)$/u.test(before())) break;
    from -= 1;
  }
  return tokens.slice(from, at).join('').replace(/^[.:]+/u, '');
}

function literals(source: string): Literal[] {
  const tokens: string[] = [];
  const lines: number[] = [];
  let line = 1;
  for (const { 0: text, groups } of source.matchAll(token)) {
    if (groups?.['space'] === undefined) {
      tokens.push(text);
      lines.push(line);
    }
    line += text.split('\n').length - 1;
  }
  const found: Literal[] = [];
  const calls: Call[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const text = tokens[at] ?? '';
    const inner = calls.at(-1);
    if (text === '#' && tokens.slice(at, at + 7).join('') === '#[cfg(test)]') at = behind(tokens, at + 7);
    else if (/^[([{]$/u.test(text)) calls.push({ name: text === '{' ? '{' : called(tokens, at), place: 0 });
    else if (/^[)\]}]$/u.test(text)) calls.pop();
    else if (text === ',' && inner) inner.place += 1;
    else if (/^(b?r#*)?b?"/u.test(text) && inner?.name !== 'concat!') found.push({ words: said(text), line: lines[at] ?? 0, calls: around(tokens, at, calls) });
    // All that concat! joins is one literal.
    if (text === '(' && calls.at(-1)?.name === 'concat!') found.push({ words: joined(tokens, at + 1), line: lines[at] ?? 0, calls: around(tokens, at - 2, calls) });
  }
  return found;
}

/** The calls around a literal, without those that only shape it; a field's name counts as one. */
function around(tokens: readonly string[], at: number, calls: readonly Call[]): Call[] {
  const own = calls.filter(({ name }) => !/^(\{|format!|concat!|Box::new|Some|Ok|)$/u.test(name)).map((call) => ({ ...call }));
  return tokens[at - 1] === ':' && tokens[at - 2] !== ':' ? [...own, { name: `${tokens[at - 2] ?? ''}:`, place: 0 }] : own;
}

/** The place behind an item: at its semicolon or the end of its braces. */
function behind(tokens: readonly string[], from: number): number {
  for (let at = from, depth = 0; at < tokens.length; at += 1) {
    if (tokens[at] === '{') depth += 1;
    if (tokens[at] === '}') depth -= 1;
    if (depth === 0 && (tokens[at] === '}' || tokens[at] === ';')) return at;
  }
  return tokens.length;
}

const joined = (tokens: readonly string[], from: number): string =>
  tokens
    .slice(from, tokens.findIndex((text, at) => at > from && text === ')'))
    .map((text) => (text === ',' || text === '$' ? '' : text.startsWith('"') ? said(text) : '{}'))
    .join('');

interface Sentence {
  readonly words: string;
  readonly place: string;
  /** The part of it that was found. */
  readonly part?: string;
}

const places = /\{[\w.]*(?::[^{}\s]*)?\}/gu;
const ends = /[.!?]$/u;

const read = (file: string): Literal[] => literals(readFileSync(path.join(root, file), 'utf8'));

/** Which part of a sentence a literal of a file is, if it is one. */
function partOf(file: string, { calls }: Literal): (typeof parts)[number] | undefined {
  const { name = '', place = 0 } = calls.at(-1) ?? {};
  return parts.find(([where, call, at]) => where.test(file) && call.test(name) && at === place);
}

/** What a file says to somebody who is refused something. */
function sentences(file: string, documented: Readonly<Record<string, unknown>>): Sentence[] {
  return read(file).flatMap((literal) => {
    const { words, line, calls } = literal;
    const { name = '' } = calls.at(-1) ?? {};
    if (words in documented || calls.slice(-3).some((call) => aside.test(call.name))) return [];
    const becomes = partOf(file, literal)?.[3];
    if (becomes && !ends.test(words)) return [{ words: becomes(words), place: `${file}:${line}`, part: words }];
    const whole = ends.test(words.trimEnd()) || makers.test(name);
    return whole && words.includes(' ') && /[a-z]{2}/u.test(words) ? [{ words, place: `${file}:${line}` }] : [];
  });
}

const sources = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name))
    .filter((name) => name.endsWith('.rs') && name.includes('/src/'));

const isSeen = (file: string): boolean => !unseen.some(([where]) => where.test(file));

/** A sentence with names in its places. */
function filled(words: string): string {
  let at = 0;
  return words.replace(places, () => `name${(at += 1)}`).replaceAll('{{', '{').replaceAll('}}', '}');
}

const written = Object.values({ ...failures, ...refusals }).join('\n');

/** Whether a pattern took English for a name: three words in a row that are no code and that no Chinese sentence has. */
function hasEnglish(chinese: string): boolean {
  const found = chinese.replace(/`[^`]*`/gu, '').matchAll(/(?:\b[A-Z]?[a-z]+ ){2}[a-z]{2,}\b/gu);
  return Array.from(found, ([words]) => words).some((words) => !written.includes(words));
}

let tell: TellFailure;
beforeAll(async () => {
  await startLanguage();
  await setLanguage('zh');
  tell = await loadFailures('zh');
  await readyRefusals('invalid_input');
});

function isKnown(sentence: string, part: string | undefined, ofApi: boolean): boolean {
  const chinese = ofApi ? refusalText(sentence) : tell({ code: null, message: sentence });
  const keeps = part !== undefined && /[a-z]/u.test(part) && chinese?.includes(part);
  return chinese !== undefined && chinese !== sentence && !keeps && !hasEnglish(chinese);
}

const folders = ['engine', 'api/src', 'ingest/src'];

/** What is said in a folder, by place. */
function saidIn(folder: string): Sentence[] {
  const documented = JSON.parse(readFileSync(path.join(root, 'data/docs/zh/sentences.json'), 'utf8')) as Record<string, unknown>;
  return sources(folder).filter(isSeen).flatMap((file) => sentences(file, documented));
}

test.each(folders)('what %s refuses has Chinese', (folder) => {
  const ofApi = folder.startsWith('api');
  const byCode: readonly unknown[] = ofApi ? Object.values(errors) : [];
  const all = saidIn(folder);
  expect(all.length).toBeGreaterThan(folder.startsWith('ingest') ? 15 : 250);
  const unknown = all
    .filter(({ words }) => !(words in exceptions) && !byCode.includes(words))
    .filter(({ words, part }) => !(examples[words] ?? [filled(words)]).every((sentence) => isKnown(sentence, part, ofApi)));
  expect(unknown.map(({ words, place }) => `${place}: ${words}`)).toEqual([]);
});

test('what the code of a job is refused by its prelude has Chinese', () => {
  const prelude = readFileSync(path.join(root, 'engine/mapreduce/src/prelude.js'), 'utf8');
  const all = Array.from(prelude.matchAll(/throw new (\w+)\((['"`])(.+?)\2\)/gu), ([, kind = '', , words = '']) => `${kind}: ${words.replace(/\$\{\w+\}/gu, 'name')}.`);
  expect(all.length).toBeGreaterThan(3);
  expect(all.filter((sentence) => !isKnown(sentence, undefined, false))).toEqual([]);
});

test('no sentence is taken for a more general one before it', () => {
  const taken = Object.entries(failures).filter(([english, chinese]) => {
    const names: string[] = [];
    const message = english.replace(/\{(\d)(?::([^}|]+)[^}]*)?\}/gu, (_, place: string, word: string | undefined) => (names[Number(place)] = word ?? `name${place}`));
    const own = chinese.replace(/\{(\d)\}/gu, (_, place: string) => names[Number(place)] ?? '');
    return !/<\d>/u.test(chinese) && tell({ code: null, message }) !== own;
  });
  expect(taken.map(([english]) => english)).toEqual([]);
});

test('no exception is left over', () => {
  const all = new Set(folders.flatMap(saidIn).map(({ words }) => words));
  expect(Object.keys({ ...examples, ...exceptions }).filter((words) => !all.has(words))).toEqual([]);
});

test('no pattern is left over', () => {
  const files = folders.flatMap(sources);
  const idle = unseen.filter(([where]) => !files.some((file) => where.test(file))).map(([where]) => String(where));
  const used = new Set(files.filter(isSeen).flatMap((file) => read(file).map((literal) => partOf(file, literal))));
  expect([...idle, ...parts.filter((part) => !used.has(part)).map(([where, call]) => `${where}: ${call}`)]).toEqual([]);
});
