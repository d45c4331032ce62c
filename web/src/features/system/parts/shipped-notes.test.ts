import { readFileSync } from 'node:fs';
import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import en from '@/i18n/en/system';
import zh from '@/i18n/zh/system';
import { shippedNote } from './shipped-notes';

const t = ((key: string) => `text of ${key}`) as TFunction;
const shipped = Object.values(en.system.shippedNotes);

describe('notes that ship', () => {
  it('reads as the server writes them in English, and otherwise in Chinese', () => {
    const server = ['auth/rights.rs', 'labels/registry.rs'].map((file) => readFileSync(new URL(`../../../../../api/src/${file}`, import.meta.url), 'utf8')).join('\n');
    for (const note of shipped) expect(server).toContain(`"${note}"`);
    for (const note of Object.values(zh.system.shippedNotes)) expect(note).toMatch(/\p{Script=Han}/u);
  });

  it.each(shipped)('%s has a text in every language', (note) => expect(shippedNote(t, note)).toMatch(/^text of system\.shippedNotes\./));

  it.each(['', 'everybody', 'Everybody who asks', 'A DApp of ours.'])('leaves what somebody wrote: %j', (note) => expect(shippedNote(t, note)).toBe(note));
});
