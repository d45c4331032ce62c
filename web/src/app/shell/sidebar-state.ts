// Whether the sidebar is open: as the person left it, on every page. Until they choose, a workbench has the rail.
import { useState } from 'react';
import { readStored, writeStored } from '@/lib/storage';
import type { Layout } from '../handle';

const key = 'quarry.sidebar';

export interface SidebarState {
  open: boolean;
  toggle: () => void;
}

export function useSidebar(layout: Layout): SidebarState {
  const [stored, setStored] = useState(() => readStored(key));
  const open = stored === null ? layout === 'page' : stored === 'open';
  const toggle = () => {
    const next = open ? 'closed' : 'open';
    writeStored(key, next);
    setStored(next);
  };
  return { open, toggle };
}
