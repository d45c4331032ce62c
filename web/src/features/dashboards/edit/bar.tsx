// The bar above the editor: name and tags, whether everything is saved, undo and redo, and the ways out.
import { Input, Select, Switch } from 'antd';
import { Check, CircleAlert, CloudOff, Eye, History, LoaderCircle, Redo2, Undo2 } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { dashboardOf, previewDashboard } from '@/lib/paths';
import { formatTime } from '@/lib/time';
import { Button, ButtonLink, IconButton } from '@/ui/button';
import type { Editor } from '../model/use-editor';
import css from './edit.module.css';

const icon = { size: 16, strokeWidth: 1.6 } as const;
const LONGEST_TAG = 15;
const MOST_TAGS = 20;

interface BarProps {
  id: string;
  editor: Editor;
  /** Buttons that only some rooms for the panels need. */
  extra: ReactNode;
  share: ReactNode;
  onVersions: () => void;
}

export function Bar({ id, editor, extra, share, onVersions }: BarProps) {
  const { t } = useTranslation();
  const autosave = useId();
  const { document, change } = editor;
  return (
    <header className={css.bar}>
      <Input
        className={css.title}
        aria-label={t('dashboards.edit.name')}
        value={document.title}
        maxLength={120}
        status={document.title.trim() === '' ? 'error' : ''}
        onChange={(event) => change((now) => ({ ...now, title: event.target.value }), 'title')}
      />
      <Select
        mode="tags"
        className={css.tags}
        aria-label={t('dashboards.edit.tags')}
        placeholder={t('dashboards.edit.tagsHint')}
        maxTagCount="responsive"
        maxCount={MOST_TAGS}
        open={false}
        suffix={null}
        value={[...document.tags]}
        onChange={(tags: string[]) => change((now) => ({ ...now, tags: cleaned(tags) }), 'tags')}
      />
      <Saved editor={editor} />
      <span className={css.auto}>
        <Switch id={autosave} size="small" checked={editor.autosave} onChange={editor.setAutosave} />
        <label htmlFor={autosave}>{t('dashboards.edit.autosaveOn')}</label>
      </span>
      {editor.autosave ? null : (
        <Button size="small" disabled={editor.save.phase === 'saved'} busy={editor.save.phase === 'saving'} onClick={editor.saveNow}>
          {t('dashboards.edit.save')}
        </Button>
      )}
      <span className={css.gap} />
      {extra}
      <IconButton label={t('dashboards.edit.undo')} icon={<Undo2 {...icon} />} disabled={!editor.canUndo} onClick={editor.undo} />
      <IconButton label={t('dashboards.edit.redo')} icon={<Redo2 {...icon} />} disabled={!editor.canRedo} onClick={editor.redo} />
      <IconButton label={t('dashboards.edit.versions')} icon={<History {...icon} />} onClick={onVersions} />
      {share}
      <ButtonLink to={previewDashboard(id)} icon={<Eye {...icon} />}>
        {t('dashboards.edit.preview')}
      </ButtonLink>
      <ButtonLink kind="primary" to={dashboardOf(id)}>
        {t('dashboards.edit.done')}
      </ButtonLink>
    </header>
  );
}

/** Tags of 1 to 15 characters, each once whatever its case. */
function cleaned(tags: readonly string[]): string[] {
  const kept: string[] = [];
  for (const tag of tags.map((one) => Array.from(one.replaceAll(',', ' ').trim()).slice(0, LONGEST_TAG).join('').trim())) {
    if (tag !== '' && !kept.some((other) => other.toLowerCase() === tag.toLowerCase())) kept.push(tag);
  }
  return kept;
}

/** What is saved and what is not, in words; changes of it are said politely. */
function Saved({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  const { phase, savedAt, message } = editor.save;
  const look = {
    saved: { icon: <Check {...icon} aria-hidden />, text: savedAt > 0 ? t('dashboards.edit.savedAt', { time: formatTime(savedAt).slice(11) }) : t('dashboards.edit.allSaved') },
    waiting: { icon: null, text: t('dashboards.edit.waiting') },
    saving: { icon: <LoaderCircle {...icon} aria-hidden />, text: t('dashboards.edit.saving') },
    offline: { icon: <CloudOff {...icon} aria-hidden />, text: t('dashboards.edit.offline') },
    failed: { icon: <CircleAlert {...icon} aria-hidden />, text: t('dashboards.edit.failed', { message }) },
    conflict: { icon: <CircleAlert {...icon} aria-hidden />, text: t('dashboards.edit.conflictTitle') },
  }[phase];
  return (
    <span className={css.saved} data-phase={phase}>
      {look.icon}
      <span role="status" className="ellipsis" title={look.text}>
        {look.text}
      </span>
      {phase === 'failed' || phase === 'offline' ? (
        <Button size="small" kind="text" onClick={editor.saveNow}>
          {t('common.retry')}
        </Button>
      ) : null}
    </span>
  );
}
