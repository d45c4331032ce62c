import { describe, expect, it } from 'vitest';
import en from '@/i18n/en/charts';
import zh from '@/i18n/zh/charts';
import { vizType, vizTypes } from './registry';

describe('visualization types', () => {
  it('has no type twice', () => {
    const ids = vizTypes.map((type) => type.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(vizTypes.map((type) => [type.id, type] as const))('%s can be found and has a name in both languages', (id, type) => {
    expect(vizType(id)).toBe(type);
    expect(en.viz.type[id]).toBeTruthy();
    expect(zh.viz.type[id]).toBeTruthy();
  });
});
