// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { comparable, comparableRun, draftTitle, emptyDraft, forgetDraft, fromStored, keepDraft, mergeDrafts, readDrafts, sameText, toStored, type Draft } from './drafts';

beforeEach(() => localStorage.clear());

const draft = (text: string, changed: number, more: Partial<Draft> = {}): Draft => ({ ...emptyDraft('SQL', text, 'ada', changed), ...more });
const texts = () => readDrafts('ada').map((one) => one.text);

describe('drafts on this device', () => {
  it('come back as they were kept, the newest first, each to its owner', () => {
    const [first, second] = [draft('select 1', 1), draft('select 2', 2, { job: { id: 'j', from: 3, text: 'x' } })];
    keepDraft(first);
    keepDraft(second);
    keepDraft(draft('select 3', 3, { owner: 'eve' }));
    expect(readDrafts('ada')).toEqual([second, first]);
  });

  it('replace only themselves, so that other windows lose nothing', () => {
    const [one, two] = [draft('a', 1), draft('b', 2)];
    keepDraft(one);
    keepDraft(two);
    keepDraft({ ...one, text: 'c', changed: 3 });
    expect(texts()).toEqual(['c', 'b']);
    forgetDraft(two.id);
    expect(texts()).toEqual(['c']);
  });

  it('leave out what is no draft', () => {
    localStorage.setItem('quarry.drafts', JSON.stringify([{ id: 1 }, null, draft('kept', 1)]));
    expect(texts()).toEqual(['kept']);
    localStorage.setItem('quarry.drafts', '{broken');
    expect(texts()).toEqual([]);
  });
});

describe('drafts on the server', () => {
  it('come back with charts, values, runs and the query they change', () => {
    const one = draft('select {{n}}', 7, {
      parameters: [{ name: 'n', type: 'number', default: 1 }],
      values: { n: '2' },
      query: { id: 'q1', revision: 3 },
      title: 'My query',
      job: { id: 'j', from: 0, text: 'select 2' },
      resultJob: 'j',
      charts: [{ id: 'c', type: 'bar', title: 'T', options: { x: 'a' }, saved: { id: 'v', revision: 1 } }],
    });
    expect(fromStored(toStored(one), 'ada')).toEqual(one);
  });

  it('give way to what was changed later on the other side', () => {
    const [old, fresh] = [draft('old', 1, { id: 'a' }), draft('fresh', 2, { id: 'a' })];
    expect(mergeDrafts([old], [fresh, draft('there', 5, { id: 'b' })]).map((one) => one.text)).toEqual(['there', 'fresh']);
    expect(mergeDrafts([fresh], [old]).map((one) => one.text)).toEqual(['fresh']);
  });
});

describe('whether a draft says what is saved', () => {
  it('does not depend on the order of keys or on what is left out', () => {
    const here = { kind: 'SQL' as const, text: 'x', parameters: [{ name: 'n', type: 'text' as const, default: null }] };
    const there = { parameters: [{ type: 'text' as const, name: 'n', title: '', options: [], multiple: false, required: false, queryId: null }], text: 'x', spec: null, kind: 'SQL' as const };
    expect(sameText(here, there as never)).toBe(true);
    expect(sameText(here, { ...here, text: 'y' })).toBe(false);
    expect(sameText({ kind: 'SQL', spec: { a: 1 } as never }, { kind: 'SQL', spec: { a: 2 } as never })).toBe(false);
  });
});

describe('what is compared', () => {
  const form = { kind: 'LABEL' as const, text: '', parameters: [], spec: { month: '2024-01', eoa: '', label: 'whale' } as never };

  it('is the text, of a form its fields in one order without the empty ones', () => {
    expect(comparable({ text: 'select 1', spec: null })).toBe('select 1');
    expect(comparable(form)).toBe('{\n  "label": "whale",\n  "month": "2024-01"\n}');
  });

  it('is the same of a run; of one before the query became a form its text', () => {
    expect(comparableRun('{"month":"2024-01","label":"whale"}', form)).toBe(comparable(form));
    expect(comparableRun('select 1', form)).toBe('select 1');
    expect(comparableRun('{"a": 1}', { kind: 'SQL', text: 'x', parameters: [] })).toBe('{"a": 1}');
  });
});

describe('the name of a text', () => {
  it('is its first comment, else its words', () => {
    expect(draftTitle('-- DEX volume\nselect 1')).toBe('DEX volume');
    expect(draftTitle('// Hubs\nMATCH (a) RETURN a')).toBe('Hubs');
    expect(draftTitle('\n select 1\n  from t')).toBe('select 1 from t');
  });
});
