// Whether the sidebar is open: remembered, except in a workbench, which starts with the rail on each visit.
import { useState } from 'react';
import { readStored, writeStored } from '@/lib/storage';
import type { RouteHandle } from '../handle';

const key = 'quarry.sidebar';

export interface SidebarState {
  open: boolean;
  toggle: () => void;
}

export function useSidebar(layout: RouteHandle['layout']): SidebarState {
  const [stored, setStored] = useState(() => readStored(key) !== 'closed');
  const [visit, setVisit] = useState({ layout, open: false });
  if (visit.layout !== layout) setVisit({ layout, open: false });

  if (layout === 'workbench') {
    return { open: visit.open, toggle: () => setVisit({ layout, open: !visit.open }) };
  }
  const toggle = () => {
    writeStored(key, stored ? 'closed' : 'open');
    setStored(!stored);
  };
  return { open: stored, toggle };
}
