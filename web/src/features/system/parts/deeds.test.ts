import { describe, expect, it } from 'vitest';
import { systemDeeds as english } from '@/i18n/en/system-deeds';
import { systemDeeds as chinese } from '@/i18n/zh/system-deeds';

const names = (sentence: string) => [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

describe('sentences of the audit log', () => {
  it('hold the same values in both languages', () => {
    for (const [deed, sentence] of Object.entries(english)) expect(names(chinese[deed as keyof typeof chinese]), deed).toEqual(names(sentence));
  });
});
