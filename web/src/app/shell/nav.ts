// The entries of the menu, in order: only pages that exist. A new page is a line here.
import { BookOpen, Box, Braces, CircleDollarSign, Compass, FileText, FolderOpen, House, KeyRound, Landmark, Layers, ListChecks, LockKeyhole, MessageCircleQuestionMark, Rss, ScrollText, Settings2, Star, Tag, Trophy, UserRound, type LucideIcon } from 'lucide-react';
import type { Texts } from '@/i18n/texts';
import { newDashboard, paths } from '@/lib/paths';
import { newQuery } from '@/lib/query-link';

export interface NavEntry {
  to: string;
  /** The key of its name under `shell.nav`. */
  name: keyof Texts['shell']['nav'];
  icon: LucideIcon;
  /** The key after `g` that opens it. */
  key?: string;
  /** On small screens it stands in the bar at the bottom, not under "More". */
  thumb?: true;
}

export interface NavGroup {
  /** The key of its heading under `shell.groups`; the first group has none. */
  name?: keyof Texts['shell']['groups'];
  entries: NavEntry[];
}

export const navGroups: NavGroup[] = [
  {
    entries: [
      { to: paths.home, name: 'home', icon: House, key: 'h', thumb: true },
      { to: paths.official, name: 'official', icon: Landmark, key: 'o' },
      { to: paths.discover, name: 'discover', icon: Compass, key: 'd', thumb: true },
      { to: paths.jobs, name: 'jobs', icon: ListChecks, key: 'j' },
      { to: paths.models, name: 'models', icon: Box, key: 'm' },
      { to: paths.ranking, name: 'ranking', icon: Trophy, key: 'r' },
    ],
  },
  {
    name: 'library',
    entries: [
      { to: paths.favorites, name: 'favorites', icon: Star, key: 'f', thumb: true },
      { to: paths.creations, name: 'creations', icon: FolderOpen, key: 'c' },
      { to: paths.projects, name: 'projects', icon: Layers },
      { to: paths.tags, name: 'tags', icon: Tag },
    ],
  },
  {
    name: 'resources',
    entries: [
      { to: paths.docs, name: 'docs', icon: BookOpen },
      { to: paths.apiDocs, name: 'apiDocs', icon: Braces },
      { to: paths.assistant, name: 'assistant', icon: MessageCircleQuestionMark },
      { to: paths.paperPreview, name: 'whitePage', icon: FileText },
      { to: paths.papers, name: 'papers', icon: ScrollText },
      { to: paths.blog, name: 'blog', icon: Rss },
      { to: paths.pricing, name: 'pricing', icon: CircleDollarSign },
    ],
  },
];

export const nav: NavEntry[] = navGroups.flatMap((group) => group.entries);

export interface NewEntry {
  to: string;
  /** The key of its name under `shell.create`. */
  name: keyof Texts['shell']['create'];
  /** The key after `n` that opens it. */
  key: string;
}

/** What the "New" button makes: the first at a click, the others from its menu. */
export const creates: [NewEntry, ...NewEntry[]] = [
  { to: newQuery('SQL'), name: 'query', key: 'q' },
  { to: newDashboard, name: 'dashboard', key: 'd' },
  { to: newQuery('GRAPH'), name: 'graph', key: 'g' },
  { to: newQuery('HIVE'), name: 'hive', key: 'h' },
  { to: newQuery('MAPREDUCE'), name: 'mapreduce', key: 'm' },
  { to: newQuery('LABEL'), name: 'label', key: 'l' },
];

export interface AccountEntry {
  to: string;
  /** The key of its name under `shell.account`. */
  name: keyof Texts['shell']['account'];
  icon: LucideIcon;
  /** Only for administrators. */
  admin?: true;
}

/** The pages of the account menu. */
export const accountEntries: AccountEntry[] = [
  { to: paths.system, name: 'manage', icon: Settings2, admin: true },
  { to: paths.info, name: 'info', icon: UserRound },
  { to: paths.reset, name: 'password', icon: LockKeyhole },
  { to: paths.apiKeys, name: 'apiKeys', icon: KeyRound },
];
