// What the command palette finds, and in which order.

export type Group = 'actions' | 'pages' | 'queries' | 'dashboards' | 'tables' | 'functions';

export const GROUPS: readonly Group[] = ['actions', 'pages', 'queries', 'dashboards', 'tables', 'functions'];

export interface PaletteItem {
  readonly key: string;
  readonly group: Group;
  readonly name: string;
  /** Said beside the name: keys, a type, a signature. */
  readonly hint?: string;
  /** Other words that find it. */
  readonly words?: string;
  readonly run: () => void;
}

const mostOfGroup = 6;

/** How well words fit a name: the start of it, the start of a word, somewhere; not at all is null. */
export function fit(item: Pick<PaletteItem, 'name' | 'words'>, words: readonly string[]): number | null {
  const name = item.name.toLowerCase();
  const all = `${name} ${item.words?.toLowerCase() ?? ''}`;
  let sum = 0;
  for (const word of words) {
    if (name.startsWith(word)) sum += 3;
    else if (new RegExp(`[\\s_.-]${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u').test(` ${all}`)) sum += 2;
    else if (all.includes(word)) sum += 1;
    else return null;
  }
  return sum;
}

/** What fits, group by group, the best first; without words only what can be done and where to go. */
export function findItems(items: readonly PaletteItem[], search: string): PaletteItem[] {
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const fitting = items.flatMap((item) => {
    if (words.length === 0 && (item.group === 'tables' || item.group === 'functions')) return [];
    const rank = fit(item, words);
    return rank === null ? [] : [{ item, rank }];
  });
  const best = (group: Group) => Math.max(0, ...fitting.filter(({ item }) => item.group === group).map(({ rank }) => rank));
  const groups = words.length === 0 ? GROUPS : [...GROUPS].sort((a, b) => best(b) - best(a));
  return groups.flatMap((group) =>
    fitting
      .filter(({ item }) => item.group === group)
      .sort((a, b) => b.rank - a.rank || a.item.name.length - b.item.name.length)
      .slice(0, words.length === 0 && group === 'pages' ? undefined : mostOfGroup)
      .map(({ item }) => item),
  );
}
