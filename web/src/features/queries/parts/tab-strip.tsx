/** The open drafts of this window: one is in front, a dot says that it has changes, a cross takes it out of the window. */
import { Dropdown } from 'antd';
import { Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useTitles } from '@/i18n/titles';
import { paths, savedQuery } from '@/lib/paths';
import { queryKinds } from '@/query-kinds/registry';
import type { Draft } from '../model/drafts';
import { closeTab, openDraft, selectTab } from '../model/tabs';
import { nameOf, starterDraft } from '../model/use-arrival';
import css from './tab-strip.module.css';

interface TabStripProps {
  drafts: readonly Draft[];
  active: Draft;
  dirty: boolean;
  visitor: boolean;
  owner: string;
}

/** The address of a tab: of a saved query its own, so that it can be shared and reloaded. */
const address = (draft: Draft): string => (draft.query === null ? paths.query : `${savedQuery(draft.query.id)}${draft.viewing?.share ? `&share=${encodeURIComponent(draft.viewing.share)}` : ''}`);

export function TabStrip({ drafts, active, dirty, visitor, owner }: TabStripProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const inLanguage = useTitles();
  const titleOf = (draft: Draft) => inLanguage({ title: nameOf(draft), titleZh: draft.viewing?.titleZh ?? null }) || t('queries.tool.untitled');

  const show = (draft: Draft) => {
    selectTab(draft.id);
    void navigate(address(draft), { replace: true });
  };

  const close = (draft: Draft) => {
    // A draft that says nothing is not worth keeping.
    const empty = draft.query === null && draft.text.trim() === '' && draft.spec === null && draft.charts.length === 0;
    const at = drafts.indexOf(draft);
    const next = draft.id === active.id ? (drafts[at + 1] ?? drafts[at - 1]) : active;
    if (next) void navigate(address(next), { replace: true });
    else openDraft(starterDraft('SQL', owner));
    closeTab(draft.id, empty);
    if (!next) void navigate(paths.query, { replace: true });
  };

  const open = (kind: (typeof queryKinds)[number]['id']) => {
    openDraft({ ...starterDraft(kind, owner), text: '' });
    void navigate(paths.query, { replace: true });
  };

  return (
    <nav className={css.strip} aria-label={t('editors.tabs.label')}>
      <ul>
        {drafts.map((draft) => (
          <li key={draft.id} className={css.tab} data-active={draft.id === active.id}>
            <button type="button" className={css.name} aria-current={draft.id === active.id ? 'page' : undefined} title={titleOf(draft)} onClick={() => show(draft)}>
              <span className={css.kind}>{draft.kind}</span>
              <span className="ellipsis">{titleOf(draft)}</span>
              {draft.id === active.id && dirty ? <span className={css.dot} role="img" aria-label={t('editors.tabs.changed')} title={t('editors.tabs.changed')} /> : null}
            </button>
            <button type="button" className={css.close} aria-label={t('editors.tabs.close', { title: titleOf(draft) })} onClick={() => close(draft)}>
              <X size={13} strokeWidth={1.8} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {visitor ? null : (
        <Dropdown trigger={['click']} menu={{ items: queryKinds.map((kind) => ({ key: kind.id, label: kind.title })), onClick: ({ key }) => open(key as (typeof queryKinds)[number]['id']) }}>
          <button type="button" className={css.add} aria-label={t('editors.tabs.new')} title={t('editors.tabs.new')}>
            <Plus size={16} strokeWidth={1.7} aria-hidden />
          </button>
        </Dropdown>
      )}
    </nav>
  );
}
