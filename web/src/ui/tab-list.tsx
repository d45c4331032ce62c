// Tabs over one panel of the page (those in `tabs.tsx` are addresses). More than there is room for are scrolled to.
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import css from './tab-list.module.css';

export interface PanelTab {
  key: string;
  name: string;
  icon?: ReactNode;
}

interface Props {
  tabs: readonly PanelTab[];
  current: string;
  label: string;
  /** The element that the tabs change; it is a `tabpanel` named after `tabId` of the current one. */
  panelId: string;
  onChange: (key: string) => void;
}

/** The id of a tab, by which its panel is named. */
export const tabId = (panelId: string, key: string): string => `${panelId}-${key}`;

export function TabList({ tabs, current, label, panelId, onChange }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current, tabs.length]);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.key === current);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const to = steps[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.key);
    document.getElementById(tabId(panelId, next.key))?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className={css.list} tabIndex={-1} onKeyDown={onKeyDown}>
      {tabs.map(({ key, name, icon }) => (
        <button key={key} type="button" role="tab" id={tabId(panelId, key)} aria-selected={key === current} aria-controls={panelId} tabIndex={key === current ? 0 : -1} title={name} className={css.tab} onClick={() => onChange(key)}>
          {icon}
          <span className="ellipsis">{name}</span>
        </button>
      ))}
    </div>
  );
}
