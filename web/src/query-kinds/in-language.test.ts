import { describe, expect, it } from 'vitest';
import { loadSentences } from '@/i18n/sentences';
import chinese from '@/i18n/zh/words.json';
import { catalogueIn, inLanguage } from './in-language';
import { graph } from './graph';
import * as vocabulary from './graph/vocabulary';
import { FUNCTIONS } from './hive/functions';
import { OF_BATCH, WORDS } from './mapreduce/language';
import { queryKinds } from './registry';
import { catalogue } from './sql/fixture';

/** Everything that the kinds themselves say to people: what they list, and the words they put beside names. */
function sayings(): Set<string> {
  const said = new Set<string>();
  const note = (english: string) => {
    if (english !== '') said.add(english);
    return english;
  };
  graph.schemas?.(note);
  const language = inLanguage(graph.language(catalogue), note);
  for (const text of ['match (a:', 'match ()-[t:', 'match (a)-[t]->() return a.', 'match (a)-[t]->() return t.', 'match (a)-[t]->() with a as b return ']) language.suggest(text, text.length, true);
  for (const one of [...vocabulary.FUNCTIONS, ...vocabulary.PROCEDURES, ...FUNCTIONS]) [one.doc, one.kind].forEach(note);
  for (const [, , doc] of [...WORDS, ...OF_BATCH]) note(doc);
  return said;
}

describe('hints in Chinese', () => {
  it('say all that the kinds say, and nothing else', () => {
    const said = sayings();
    expect([...said].filter((english) => !(english in chinese))).toEqual([]);
    expect(Object.keys(chinese).filter((english) => !said.has(english))).toEqual([]);
  });

  it.each(queryKinds.map((kind) => [kind.id, kind] as const))('change nothing of %s that runs', async (_, kind) => {
    const say = await loadSentences('zh');
    const [plain, translated] = [kind.language(catalogue), inLanguage(kind.language(catalogue), say)];
    const run = (found: ReturnType<typeof plain.suggest>) => found?.options.map(({ label, insert, caret, rank }) => [label, insert, caret, rank]);
    expect(run(translated.suggest('', 0, true))).toEqual(run(plain.suggest('', 0, true)));
    expect({ ...translated, suggest: null, describe: null }).toEqual({ ...plain, suggest: null, describe: null });
  });

  it('describe functions, words and columns', async () => {
    const say = await loadSentences('zh');
    const on = (id: string, marked: string) => {
      const kind = queryKinds.find((one) => one.id === id);
      return kind && inLanguage(kind.language(catalogueIn(catalogue, say)), say).describe(marked.replace('|', ''), marked.indexOf('|'));
    };
    expect(on('GRAPH', 'return col|lect(a)')).toMatchObject({ title: 'collect(x)', detail: '聚合', doc: '全部值组成的列表。', example: 'RETURN collect(1)' });
    expect(on('GRAPH', 'match (a) return a.deg|ree')).toMatchObject({ title: 'degree', detail: '节点' });
    expect(on('HIVE', 'select ini|tcap(hash) from transactions')).toMatchObject({ title: 'initcap(text)', detail: '标量', doc: '每个单词首字母大写。' });
    expect(on('MAPREDUCE', 'batch.su|ms()')).toMatchObject({ title: 'sums', doc: 'batch.sums(by, of)：按 `by` 的每个值对 `of` 列求和。' });
  });

  it('say of the catalogue what its English means, and English where nothing is known', async () => {
    const say = await loadSentences('zh');
    const [schema] = catalogueIn({ ...catalogue, schemas: [{ name: 'ethereum', tables: [{ name: 'blocks', doc: 'One row per contract created.', rows: 1, columns: [{ name: 'hash', type: 'hash', doc: 'Hash of the block.' }, { name: 'own', type: 'int', doc: 'Said by nobody.' }] }] }] }, say).schemas;
    expect(schema?.tables[0]).toEqual({ name: 'blocks', doc: '每个被创建的合约一行。', rows: 1, columns: [{ name: 'hash', type: 'hash', doc: '区块哈希。' }, { name: 'own', type: 'int', doc: 'Said by nobody.' }] });
  });

  it('stay in English as they are', async () => {
    const say = await loadSentences('en');
    expect(catalogueIn(catalogue, say)).toBe(catalogue);
    const language = graph.language(catalogue);
    expect(inLanguage(language, say)).toBe(language);
  });
});
