// The entries of the menu, in order: only pages that exist.
import { House, ListChecks, type LucideIcon } from 'lucide-react';
import { paths } from '@/lib/paths';

export interface NavEntry {
  to: string;
  /** The key of its name. */
  name: 'home.title' | 'jobs.title';
  icon: LucideIcon;
  /** The key after `g` that opens it. */
  key: string;
}

export const nav: NavEntry[] = [
  { to: paths.home, name: 'home.title', icon: House, key: 'h' },
  { to: paths.jobs, name: 'jobs.title', icon: ListChecks, key: 'j' },
];
