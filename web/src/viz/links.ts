/** Rows as links between named things: added up, the largest kept, rings of them found. */
import { addExact, compareExact, sumExact, type Exact } from '@/lib/exact';

export interface Link {
  readonly source: string;
  readonly target: string;
  readonly value: Exact;
}

/** Links of one source and target become one, with the sum of their values. */
export class LinkSum {
  private readonly found = new Map<string, Map<string, Exact>>();

  add(source: string, target: string, value: Exact): void {
    const targets = this.found.get(source) ?? new Map<string, Exact>();
    this.found.set(source, targets);
    const before = targets.get(target);
    targets.set(target, before ? addExact(before, value) : value);
  }

  links(): Link[] {
    return [...this.found].flatMap(([source, targets]) => [...targets].map(([target, value]) => ({ source, target, value })));
  }
}

/** The `most` largest links in their own order, and the sum of the others. */
export function largestLinks(links: readonly Link[], most: number): { kept: Link[]; left: number; rest: Exact } {
  if (links.length <= most) return { kept: [...links], left: 0, rest: { digits: 0n, scale: 0 } };
  const ranked = [...links].sort((a, b) => compareExact(b.value, a.value));
  const chosen = new Set(ranked.slice(0, most));
  return { kept: links.filter((link) => chosen.has(link)), left: links.length - most, rest: sumExact(ranked.slice(most).map((link) => link.value)) };
}

/** The first ring of links, its start named twice; null where every way ends. */
export function findCycle(links: readonly Link[]): string[] | null {
  const next = new Map<string, string[]>();
  for (const { source, target } of links) next.set(source, [...(next.get(source) ?? []), target]);
  const done = new Set<string>();
  for (const start of next.keys()) {
    // Depth first without recursion: results may hold long chains.
    const way: { name: string; at: number }[] = [{ name: start, at: 0 }];
    const onWay = new Set<string>([start]);
    while (way.length > 0) {
      const top = way[way.length - 1] as { name: string; at: number };
      const target = done.has(top.name) ? undefined : next.get(top.name)?.[top.at];
      if (target === undefined) {
        done.add(top.name);
        onWay.delete(top.name);
        way.pop();
        continue;
      }
      top.at += 1;
      if (onWay.has(target)) return [...way.slice(way.findIndex(({ name }) => name === target)).map(({ name }) => name), target];
      if (done.has(target)) continue;
      way.push({ name: target, at: 0 });
      onWay.add(target);
    }
  }
  return null;
}
