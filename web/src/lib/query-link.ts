// Links that open the query page with a text written elsewhere. The text stands behind the #: no server and no log sees it.
import { paths } from './paths';

/** What the `type` of a link calls each query kind. */
export const linkTypes = { SQL: 'sql', GRAPH: 'graph', HIVE: 'hive', MAPREDUCE: 'mr', LABEL: 'label' } as const;

export type LinkedKind = keyof typeof linkTypes;

const mark = '#q=';

/** The query page with this text in its editor, not run yet. */
export function queryWithText(kind: LinkedKind, text: string): string {
  return `${paths.query}?type=${linkTypes[kind]}${mark}${encodeURIComponent(text)}`;
}

/** The query page with a new query of a kind. */
export const newQuery = (kind: LinkedKind): string => `${paths.query}?type=${linkTypes[kind]}`;

/** The kind and text that a link of `queryWithText` carries, or null when it carries none. */
export function textOfLink(search: string, hash: string): { kind: LinkedKind; text: string } | null {
  if (!hash.startsWith(mark)) return null;
  const type = new URLSearchParams(search).get('type');
  const kind = (Object.keys(linkTypes) as LinkedKind[]).find((one) => linkTypes[one] === type) ?? 'SQL';
  try {
    return { kind, text: decodeURIComponent(hash.slice(mark.length)) };
  } catch {
    return null;
  }
}
