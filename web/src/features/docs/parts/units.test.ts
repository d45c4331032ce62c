// Every unit that the pages of the endpoints and of the tables show has a text in both languages.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import en from '@/i18n/en/docs';
import zh from '@/i18n/zh/docs';

const root = path.resolve(import.meta.dirname, '../../../../..');
const texts = { en: en.docs.unit, zh: zh.docs.unit };

/** As the definitions of the metrics say them, one file each. */
function unitsOfMetrics(): string[] {
  const folder = path.join(root, 'engine/metrics/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.rs'));
  return files.flatMap((file) => [...readFileSync(path.join(folder, file), 'utf8').matchAll(/^ {4}unit: "([^"]+)",$/gm)].map(([, unit = '']) => unit));
}

const unitsOfColumns = () => [...readFileSync(path.join(root, 'data/docs/tables.json'), 'utf8').matchAll(/"unit": *"([^"]+)"/g)].map(([, unit = '']) => unit);

it.each([
  ['metrics', unitsOfMetrics],
  ['columns', unitsOfColumns],
])('the units of %s are known', (_, unitsOf) => {
  const units = new Set(unitsOf());
  expect(units.size).toBeGreaterThan(5);
  for (const known of Object.values(texts)) expect([...units].filter((unit) => !(unit in known))).toEqual([]);
});
