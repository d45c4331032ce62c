/** The drafts of this person, from this device and the server: another one is taken up or thrown away. */
import { Popover } from 'antd';
import { FileClock, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { paths, savedQuery } from '@/lib/paths';
import { formatTime } from '@/lib/time';
import { IconButton } from '@/ui/button';
import { notify } from '@/ui/notices';
import { Skeleton, Tag } from '@/ui/parts';
import { allDrafts, drop, keep } from '../model/draft-keeper';
import { keptId, type Draft } from '../model/drafts';
import { flushTabs, openDraft } from '../model/tabs';
import { nameOf } from '../model/use-arrival';
import css from './drafts-menu.module.css';

export function DraftsMenu({ owner, open: shown }: { owner: string; open: readonly Draft[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [drafts, setDrafts] = useState<Draft[] | null>(null);
  const others = drafts?.filter((draft) => !shown.some((one) => keptId(one) === draft.id));
  const name = (draft: Draft) => nameOf(draft) || t('queries.tool.untitled');

  const onOpenChange = (next: boolean) => {
    setOpen(next);
    if (!next) return;
    flushTabs();
    void allDrafts(owner).then(setDrafts);
  };

  const take = (draft: Draft) => {
    setOpen(false);
    openDraft(draft);
    void navigate(draft.query ? savedQuery(draft.query.id) : paths.query, { replace: true });
  };

  const list = (
    <div className={css.drafts}>
      {others === undefined ? <Skeleton height="1em" width="60%" /> : null}
      {others?.length === 0 ? <p className={css.empty}>{t('queries.tool.historyEmpty')}</p> : null}
      <ul>
        {others?.map((draft) => (
          <li key={draft.id} className={css.draft}>
            <button type="button" className={css.open} aria-label={t('queries.tool.openDraft', { title: name(draft) })} onClick={() => take(draft)}>
              <span className="ellipsis">{name(draft)}</span>
              <span className={css.facts}>
                <Tag>{draft.kind}</Tag>
                <time>{t('shell.blockTime', { time: formatTime(draft.changed) })}</time>
                {draft.query ? <span>{t('editors.tabs.ofSaved')}</span> : null}
              </span>
            </button>
            <IconButton
              size="small"
              label={t('queries.tool.forgetDraft', { title: name(draft) })}
              icon={<Trash2 size={15} strokeWidth={1.6} />}
              onClick={() => {
                const dropping = drop(draft.id);
                setDrafts((now) => now?.filter((one) => one.id !== draft.id) ?? null);
                notify.undo(t('queries.tool.forgotDraft', { title: name(draft) }), () => {
                  // Taken back before the server was told, it would be forgotten there after all.
                  void dropping.then(() => keep({ ...draft, changed: Date.now() }));
                  setDrafts((now) => now && [draft, ...now]);
                });
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );

  return (
    <Popover open={open} onOpenChange={onOpenChange} trigger="click" placement="bottomLeft" arrow={false} title={t('queries.tool.historyTitle')} content={list}>
      <button type="button" className={css.button} aria-expanded={open} aria-label={t('queries.tool.history')} title={t('queries.tool.history')}>
        <FileClock size={16} strokeWidth={1.6} aria-hidden />
        <span>{t('queries.tool.history')}</span>
      </button>
    </Popover>
  );
}
