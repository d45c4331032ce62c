// Colours code of the languages the manuals show: words, texts, numbers and comments, nothing deeper.

export type Paint = 'keyword' | 'string' | 'number' | 'comment' | 'plain';

export interface Piece {
  readonly paint: Paint;
  readonly text: string;
}

const sql =
  'select distinct from where group by having order limit offset join inner left right full outer cross on using union all intersect except with recursive as and or not in exists between like ilike is null case when then else end cast try_cast safe_cast interval date timestamp true false asc desc nulls first last over partition rows range unbounded preceding following current row filter qualify values unnest lateral view explode create table insert into overwrite drop partitioned stored set if declare default';
const js = 'const let var function return if else for of in await async new import from export default null true false class this throw try catch';
const words: Readonly<Record<string, string>> = {
  sql,
  hive: sql,
  cypher: 'match optional where with return distinct order by skip limit unwind union all call yield as and or not in exists count case when then else end asc desc all any none null true false',
  js,
  mapreduce: js,
  python: 'import from def return if else elif for in with as print None True False and or not lambda class raise try except',
  rust: 'use let mut fn async await return if else for in match struct impl pub main true false None Some Ok Err',
  bash: 'curl export',
  json: 'true false null',
  label: 'true false null',
};
const comments: Readonly<Record<string, string>> = { sql: '--', hive: '--', cypher: '//', js: '//', mapreduce: '//', rust: '//', python: '#', bash: '#' };

function pattern(language: string): RegExp {
  const comment = comments[language];
  return new RegExp(`${comment === undefined ? '' : `(?<comment>${comment}[^\\n]*)|`}(?<string>'(?:[^'\\n]|'')*'|"(?:[^"\\\\\\n]|\\\\.)*"|\`[^\`]*\`)|(?<number>\\b(?:0x[0-9a-fA-F]+|\\d[\\d_]*(?:\\.\\d+)?(?:e\\d+)?)\\b)|(?<word>[A-Za-z_][\\w]*)|(?<plain>[\\s\\S])`, 'g');
}

/** The text in pieces of one paint each; joined they are the text. */
export function highlight(text: string, language: string): Piece[] {
  const list = words[language];
  if (list === undefined) return [{ paint: 'plain', text }];
  const exact = !['sql', 'hive', 'cypher'].includes(language);
  const known = new Set(list.split(' '));
  const pieces: Piece[] = [];
  for (const match of text.matchAll(pattern(language))) {
    const groups = match.groups ?? {};
    const word = groups['word'];
    const isKey = word !== undefined && known.has(exact ? word : word.toLowerCase());
    const paint: Paint = isKey ? 'keyword' : groups['string'] !== undefined ? 'string' : groups['number'] !== undefined ? 'number' : groups['comment'] !== undefined ? 'comment' : 'plain';
    const last = pieces.at(-1);
    if (last?.paint === paint) pieces[pieces.length - 1] = { paint, text: last.text + match[0] };
    else pieces.push({ paint, text: match[0] });
  }
  return pieces;
}
