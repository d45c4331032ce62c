// Full-text search over both manuals, by part of a page; made from the texts when somebody searches for the first time.
import i18next from 'i18next';
import MiniSearch from 'minisearch';
import type { Language } from '@/i18n';
import { fetchMetrics, inLanguage, type Metric } from './metrics';
import { categories, manuals, pagesOf } from './nav';
import { loadText } from './source';
import { wordsIn, type Block } from './text';
import { wordsOf } from './words';

export interface Found {
  readonly id: string;
  /** The address with the anchor. */
  readonly to: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

export interface Search {
  readonly find: (query: string) => Found[];
  /** Nothing is missing in it. */
  readonly whole: boolean;
}

const most = 8;
const made = new Map<string, Promise<Search>>();

/** The search of a language, made once; readers of the developer's manual find its metrics too. */
export function searchIn(language: Language, withMetrics: boolean): Promise<Search> {
  const name = `${language} ${String(withMetrics)}`;
  const known = made.get(name);
  if (known) return known;
  const search = makeSearch(language, withMetrics);
  made.set(name, search);
  // What could not be loaded now may be there the next time.
  search.then(({ whole }) => whole || made.delete(name), () => made.delete(name));
  return search;
}

async function makeSearch(language: Language, withMetrics: boolean): Promise<Search> {
  const index = new MiniSearch<Found>({
    fields: ['title', 'heading', 'text'],
    tokenize: wordsOf,
    processTerm: (term) => term,
    searchOptions: { boost: { title: 4, heading: 3 }, prefix: true, fuzzy: (term) => (/^[a-z]{5,}$/.test(term) ? 0.2 : false) },
  });
  const known = new Map<string, Found>();
  const pages = manuals.flatMap(pagesOf).filter((page) => !page.category);
  const [texts, metrics] = await Promise.all([Promise.all(pages.map((page) => loadText(language, page.id))), withMetrics ? knownMetrics() : []]);
  const t = i18next.getFixedT(language);
  for (const metric of metrics ?? []) {
    const to = `/developer-apis/${metric.category}-api/summary#${metric.metric}`;
    const category = categories.find((one) => one === metric.category);
    const title = t('docs.apiOf', { name: category ? t(`docs.page.${category}`) : metric.category });
    const part = { id: to, to, title, heading: inLanguage(metric.title, language), text: `${metric.category}/${metric.metric} ${inLanguage(metric.definition, language)}` };
    known.set(to, part);
    index.add(part);
  }
  pages.forEach((page, at) => {
    const text = texts[at];
    for (const part of text ? parts(`/${page.id}`, text.title, text.lead, text.blocks) : []) {
      known.set(part.id, part);
      index.add(part);
    }
  });
  const find = (query: string) => {
    const all = index.search(query, { combineWith: 'AND' });
    const results = all.length > 0 ? all : index.search(query, { combineWith: 'OR' });
    return results.slice(0, most).flatMap(({ id }) => known.get(String(id)) ?? []);
  };
  return { find, whole: metrics !== null };
}

/** The metrics of the developer API; null when they could not be loaded: the rest can be searched without them. */
async function knownMetrics(): Promise<readonly Metric[] | null> {
  try {
    return (await fetchMetrics()).metrics;
  } catch (error) {
    console.warn('The metrics could not be loaded for the search', error);
    return null;
  }
}

/** The parts of a page: what stands before the first heading, and each heading with what follows it. */
function parts(path: string, title: string, lead: string, blocks: readonly Block[]): Found[] {
  const found: { to: string; heading: string; lines: string[] }[] = [{ to: path, heading: '', lines: [lead] }];
  for (const block of blocks) {
    if (block.kind === 'heading') found.push({ to: `${path}#${block.id}`, heading: block.text.replaceAll('`', ''), lines: [] });
    else found.at(-1)?.lines.push(block.kind === 'prose' ? wordsIn(block.parts) : block.text);
  }
  return found.map(({ to, heading, lines }) => ({ id: to, to, title, heading, text: lines.join(' ').replace(/\s+/g, ' ') }));
}
