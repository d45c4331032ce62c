// The texts of the manuals: complete in both languages, with the same structure, and without a link that leads nowhere.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { manuals, pagesOf } from './nav';
import { liveNames } from './parts/blocks';
import { readText } from './read-text';
import type { Block, DocText } from './text';

const root = path.resolve(import.meta.dirname, '../../../../data');
const languages = ['en', 'zh'] as const;
const ids = manuals.flatMap(pagesOf).filter((page) => !page.category).map((page) => page.id);
const source = (language: string, id: string) => readFileSync(path.join(root, 'docs', language, `${id}.md`), 'utf8');
const textOf = (language: string, id: string): DocText => readText(source(language, id));

/** What has to be the same in every language. */
function frame(block: Block): unknown {
  if (block.kind === 'heading') return [block.level, block.id];
  return block.kind === 'prose' ? 'prose' : block;
}

it.each(ids)('%s says the same in both languages', (id) => {
  const [english, chinese] = [textOf('en', id), textOf('zh', id)];
  for (const text of [english, chinese]) {
    expect(text.title).not.toBe('');
    expect(text.lead).not.toBe('');
    expect(text.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  }
  expect(chinese.blocks.map(frame)).toEqual(english.blocks.map(frame));
  expect(chinese.date).toBe(english.date);
  expect(chinese.lead).toMatch(/\p{Script=Han}/u);
  expect(source('en', id).replace(/中文/g, '')).not.toMatch(/\p{Script=Han}/u);
});

it.each(ids)('%s has anchors of its own and only live parts that exist', (id) => {
  const { blocks } = textOf('en', id);
  const anchors = blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : []));
  expect(new Set(anchors).size).toBe(anchors.length);
  const names = blocks.flatMap((block) => (block.kind === 'live' ? [block.name] : []));
  expect(names.filter((name) => !liveNames.includes(name))).toEqual([]);
});

it('has no text without a page', () => {
  for (const language of languages) {
    const folder = path.join(root, 'docs', language);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    expect(files.map((name) => name.replaceAll(path.sep, '/').replace(/\.md$/, '')).sort()).toEqual([...ids].sort());
  }
});

/** Pages of the product outside of the manuals that their texts link to. */
const outside = ['/home', '/start', '/auth/register', '/user/query', '/user/my-query', '/platform/visualizations'];

it('links only to what is there', () => {
  const dead: string[] = [];
  for (const language of languages) {
    for (const id of ids) {
      for (const [, to = ''] of source(language, id).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https:\/\//.test(to)) continue;
        const picture = to.startsWith('/') ? null : to;
        const [page = '', anchor] = to.split('#');
        const known = ids.includes(page.slice(1));
        const good =
          picture === null
            ? outside.includes(page) || (known && (anchor === undefined || textOf(language, page.slice(1)).blocks.some((block) => block.kind === 'heading' && block.id === anchor)))
            : existsSync(path.join(root, 'docs/images', language, picture));
        if (!good) dead.push(`${language}/${id}: ${to}`);
      }
    }
  }
  expect(dead).toEqual([]);
});

it('shows charts that ship with Quarry', () => {
  interface Starter {
    queries: { key: string }[];
    dashboards: { key: string; official?: boolean; widgets: { chart: string }[] }[];
  }
  const files = readdirSync(path.join(root, 'starter')).filter((name) => name.endsWith('.json'));
  const contents = files.map((name) => JSON.parse(readFileSync(path.join(root, 'starter', name), 'utf8')) as Starter);
  const official = contents.flatMap((content) => content.dashboards).filter((dashboard) => dashboard.official);
  const shown = official.flatMap((dashboard) => dashboard.widgets.map((widget) => `starter-dashboard-${dashboard.key} starter-${widget.chart.replace('/', '-')}`));
  for (const id of ids) {
    for (const block of textOf('en', id).blocks) {
      if (block.kind !== 'live' || block.name !== 'chart') continue;
      expect(shown).toContain(block.args.join(' '));
    }
  }
});
