/** The drafts of this device: the present one is kept, another is taken up or thrown away. */
import { Popover } from 'antd';
import { History, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '@/lib/time';
import { Button, IconButton } from '@/ui/button';
import { draftTitle, readDrafts, type Draft } from '../model/drafts';
import type { DraftStore } from '../model/use-draft';
import css from './drafts-menu.module.css';

export function DraftsMenu({ store, onNew }: { store: DraftStore; onNew: () => void }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [drafts, setDrafts] = useState<Draft[]>([]);
  const others = drafts.filter((draft) => draft.id !== store.draft.id);
  const name = (draft: Draft) => draftTitle(draft.text) || t('queries.tool.untitled');

  const onOpenChange = (next: boolean) => {
    if (next) setDrafts(readDrafts());
    setOpen(next);
  };

  const choose = (act: () => void) => {
    setOpen(false);
    act();
  };

  const list = (
    <div className={css.drafts}>
      <Button size="small" block icon={<Plus size={16} strokeWidth={1.6} />} onClick={() => choose(onNew)}>
        {t('queries.tool.newDraft')}
      </Button>
      {others.length === 0 ? <p className={css.empty}>{t('queries.tool.historyEmpty')}</p> : null}
      <ul>
        {others.map((draft) => (
          <li key={draft.id} className={css.draft}>
            <button type="button" className={css.open} aria-label={t('queries.tool.openDraft', { title: name(draft) })} onClick={() => choose(() => store.open(draft))}>
              <span className="ellipsis">{name(draft)}</span>
              <time>{formatTime(draft.changed)}</time>
            </button>
            <IconButton
              size="small"
              label={t('queries.tool.forgetDraft', { title: name(draft) })}
              icon={<Trash2 size={15} strokeWidth={1.6} />}
              onClick={() => {
                store.forget(draft.id);
                setDrafts(readDrafts());
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );

  return (
    <Popover open={open} onOpenChange={onOpenChange} trigger="click" placement="bottomLeft" arrow={false} title={t('queries.tool.historyTitle')} content={list}>
      <button type="button" className={css.button} aria-expanded={open} aria-label={t('queries.tool.history')}>
        <History size={16} strokeWidth={1.6} aria-hidden />
        <span>{t('queries.tool.history')}</span>
      </button>
    </Popover>
  );
}
