/** What can be done with the query: its kind, format, history, when it runs by itself; fork, details, save and run. */
import { Dropdown, Segmented, Select, type MenuProps } from 'antd';
import { AlignLeft, Binary, CalendarClock, Database, Ellipsis, GitFork, History, LogIn, PanelRight, Play, Save, Settings2, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobKind } from '@/api/jobs';
import { useStore, type Store } from '@/lib/store';
import { savedQuery } from '@/lib/paths';
import { queryKinds } from '@/query-kinds/registry';
import type { EditorCursor } from '@/ui/editor/editor';
import { Button, ButtonLink } from '@/ui/button';
import { FavoriteButton } from '@/ui/favorite-button';
import { Tag } from '@/ui/parts';
import { ShareButton } from '@/ui/share';
import type { Draft } from '../model/drafts';
import { runKeys, saveKeys } from '../model/keys';
import type { Saved } from '../model/use-saved';
import css from './toolbar.module.css';

interface ToolbarProps {
  draft: Draft;
  saved: Saved;
  visitor: boolean;
  loginPath: string;
  /** The text can be run and not be changed. */
  readOnly: boolean;
  narrow: boolean;
  running: boolean;
  cursor: Store<EditorCursor>;
  /** The panes that are not on the page by themselves can be opened from here. */
  schema: { shown: boolean; toggle: () => void } | null;
  builder: { shown: boolean; toggle: () => void } | null;
  drafts: ReactNode;
  onKind: (kind: JobKind) => void;
  onFormat: (() => void) | null;
  onHistory: () => void;
  onDetails: () => void;
  onDecoder: () => void;
  onFork: () => void;
  onSave: () => void;
  onRun: () => void;
  onCancel: () => void;
}

const icon = { size: 16, strokeWidth: 1.6 } as const;

export function Toolbar(props: ToolbarProps) {
  const { draft, saved, visitor, loginPath, readOnly, narrow, running, cursor, schema, builder, onKind, onFormat, onHistory, onDetails, onDecoder, onFork, onSave, onRun, onCancel } = props;
  const { t } = useTranslation();
  const selected = useStore(cursor).selected > 0;
  const { query } = saved;
  const own = saved.editable && !visitor;
  const strategy = query?.updateStrategy ?? 'manual';
  const more: MenuProps['items'] = [
    ...(onFormat && !readOnly && own ? [{ key: 'format', label: t('queries.tool.format'), icon: <AlignLeft {...icon} /> }] : []),
    ...(draft.query ? [{ key: 'history', label: t('editors.tool.history'), icon: <History {...icon} /> }] : []),
    ...(visitor ? [] : [{ key: 'decoder', label: t('editors.tool.decoder'), icon: <Binary {...icon} /> }]),
    ...(own ? [{ key: 'details', label: t('editors.tool.details'), icon: <Settings2 {...icon} /> }] : []),
    ...(draft.query && !visitor ? [{ key: 'fork', label: t('editors.fork.do'), icon: <GitFork {...icon} /> }] : []),
  ];
  const actions: Record<string, (() => void) | null> = { format: onFormat, history: onHistory, decoder: onDecoder, details: onDetails, fork: onFork };

  return (
    <div className={css.toolbar} role="toolbar" aria-label={t('editors.tool.label')}>
      {schema ? (
        <Button kind="text" size="small" aria-pressed={schema.shown} icon={<Database {...icon} />} onClick={schema.toggle}>
          <span className={css.words}>{t('queries.tool.schema')}</span>
        </Button>
      ) : null}
      {own && draft.query === null && (!readOnly || narrow) ? (
        <KindChoice narrow={narrow} value={draft.kind} onChange={onKind} />
      ) : (
        <Tag>{draft.kind}</Tag>
      )}
      <span className={css.group}>
        {own ? (
          <>
            {onFormat && !readOnly ? (
              <Button kind="text" size="small" icon={<AlignLeft {...icon} />} onClick={onFormat}>
                {t('queries.tool.format')}
              </Button>
            ) : null}
          </>
        ) : null}
        {draft.query ? (
          <Button kind="text" size="small" icon={<History {...icon} />} onClick={onHistory}>
            {t('editors.tool.history')}
          </Button>
        ) : null}
        {own && draft.query ? (
          <Button kind="text" size="small" icon={<CalendarClock {...icon} />} onClick={onDetails}>
            {query?.paused && strategy !== 'manual' ? t('editors.strategy.paused') : t(`editors.strategy.${strategy}`)}
          </Button>
        ) : null}
      </span>
      {own ? props.drafts : null}
      {visitor ? null : (
        <span className={css.group}>
          <Button kind="text" size="small" title={t('editors.tool.decoder')} icon={<Binary {...icon} />} onClick={onDecoder}>
            <span className={css.word}>{t('editors.tool.decoder')}</span>
          </Button>
        </span>
      )}
      <span className={css.gap} />
      {builder ? (
        <Button kind="text" size="small" aria-pressed={builder.shown} icon={<PanelRight {...icon} />} onClick={builder.toggle}>
          <span className={css.words}>{t('queries.tool.visualization')}</span>
        </Button>
      ) : null}
      <span className={css.group}>
        {query ? <FavoriteButton framed title={query.title} marked={{ kind: 'query', id: query.id, favorited: query.favorited, favorites: query.favorites }} /> : null}
        {draft.query && !visitor ? (
          <Button size="small" icon={<GitFork {...icon} />} onClick={onFork}>
            {t('editors.fork.do')}
          </Button>
        ) : null}
        {query ? (
          <ShareButton
            size="small"
            of={{ id: query.id, title: query.title, visibility: query.visibility, editable: query.editable, share: draft.viewing?.share ?? null }}
            path={(share) => `${savedQuery(query.id)}${share ? `&share=${encodeURIComponent(share)}` : ''}`}
            onChange={saved.reload}
          />
        ) : null}
        {own && draft.query ? (
          <Button size="small" icon={<Settings2 {...icon} />} onClick={onDetails}>
            {t('editors.tool.details')}
          </Button>
        ) : null}
      </span>
      <span className={css.more}>
        <Dropdown trigger={['click']} menu={{ items: more, onClick: ({ key }) => actions[key]?.() }}>
          <Button kind="text" size="small" aria-label={t('editors.tool.more')} icon={<Ellipsis {...icon} />} />
        </Dropdown>
      </span>
      {own && !readOnly ? (
        <Button size="small" busy={saved.saving} disabled={saved.saving || (draft.query !== null && !saved.dirty)} icon={<Save {...icon} />} onClick={onSave} aria-keyshortcuts="Control+S Meta+S">
          <span className={css.words}>{t('editors.tool.save')}</span>
          <kbd className={css.plainKeys}>{saveKeys}</kbd>
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
          {selected && own && draft.spec === null ? t('queries.tool.runSelection') : t('queries.tool.run')}
          <kbd className={css.keys}>{runKeys}</kbd>
        </Button>
      )}
    </div>
  );
}

/** The kinds side by side; where there is no room, as a list that opens. */
function KindChoice({ narrow, value, onChange }: { narrow: boolean; value: JobKind; onChange: (kind: JobKind) => void }) {
  const { t } = useTranslation();
  const options = queryKinds.map((kind) => ({ value: kind.id, label: kind.title }));
  const label = t('editors.tool.kind');
  return narrow ? <Select<JobKind> className={css.kinds} aria-label={label} value={value} options={options} popupMatchSelectWidth={false} onChange={onChange} /> : <Segmented<JobKind> className={css.kinds} aria-label={label} value={value} options={options} onChange={onChange} />;
}
