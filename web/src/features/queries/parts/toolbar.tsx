/** What can be done with the text: format it, take up another draft, run it or stop it. */
import { AlignLeft, Database, LogIn, PanelRight, Play, Square } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, ButtonLink } from '@/ui/button';
import { Tag } from '@/ui/parts';
import { runKeys } from '../model/keys';
import type { DraftStore } from '../model/use-draft';
import { DraftsMenu } from './drafts-menu';
import css from './toolbar.module.css';

interface ToolbarProps {
  kind: string;
  visitor: boolean;
  loginPath: string;
  /** The text can be run and not be changed. */
  readOnly: boolean;
  running: boolean;
  selected: boolean;
  /** The panes that are not on the page by themselves can be opened from here. */
  schema: { shown: boolean; toggle: () => void } | null;
  builder: { shown: boolean; toggle: () => void } | null;
  store: DraftStore;
  onNew: () => void;
  onFormat: () => void;
  onRun: () => void;
  onCancel: () => void;
}

const icon = { size: 16, strokeWidth: 1.6 } as const;

export function Toolbar({ kind, visitor, loginPath, readOnly, running, selected, schema, builder, store, onNew, onFormat, onRun, onCancel }: ToolbarProps) {
  const { t } = useTranslation();
  return (
    <div className={css.toolbar}>
      {schema ? (
        <Button kind="text" size="small" aria-pressed={schema.shown} icon={<Database {...icon} />} onClick={schema.toggle}>
          <span className={css.words}>{t('queries.tool.schema')}</span>
        </Button>
      ) : null}
      <Tag>{kind}</Tag>
      {visitor ? null : (
        <>
          {readOnly ? null : (
            <Button kind="text" size="small" icon={<AlignLeft {...icon} />} onClick={onFormat}>
              {t('queries.tool.format')}
            </Button>
          )}
          <DraftsMenu store={store} onNew={onNew} />
        </>
      )}
      <span className={css.gap} />
      {builder ? (
        <Button kind="text" size="small" aria-pressed={builder.shown} icon={<PanelRight {...icon} />} onClick={builder.toggle}>
          <span className={css.words}>{t('queries.tool.visualization')}</span>
        </Button>
      ) : null}
      {visitor ? (
        <ButtonLink kind="primary" size="small" to={loginPath} icon={<LogIn {...icon} />}>
          {t('queries.tool.login')}
        </ButtonLink>
      ) : running ? (
        <Button kind="danger" size="small" icon={<Square {...icon} />} onClick={onCancel}>
          {t('common.cancel')}
        </Button>
      ) : (
        <Button kind="primary" size="small" icon={<Play {...icon} />} onClick={onRun} aria-keyshortcuts="Control+Enter Meta+Enter">
          {selected ? t('queries.tool.runSelection') : t('queries.tool.run')}
          <kbd className={css.keys}>{runKeys}</kbd>
        </Button>
      )}
    </div>
  );
}
