// Where a rule comes from is said by the engine in English; a Chinese page has it in Chinese.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { loadSentences } from '@/i18n/sentences';

const rules = path.resolve(import.meta.dirname, '../../../../engine/label_rules/src/rules');

it('the sources of all rules have their Chinese', async () => {
  const say = await loadSentences('zh');
  const files = readdirSync(rules).filter((name) => name !== 'mod.rs');
  const sources = files.map((name) => /^ {4}source: "([^"]+)",$/m.exec(readFileSync(path.join(rules, name), 'utf8'))?.[1] ?? name);
  expect(sources.length).toBeGreaterThan(30);
  expect(sources.filter((source) => say(source) === source)).toEqual([]);
});
