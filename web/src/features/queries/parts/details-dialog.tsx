/** Title, notes, tags, who may see a query, and when it runs by itself: asked for when it is saved first, changed later. */
import { useQueryClient } from '@tanstack/react-query';
import { Input, Radio, Select, Switch, type InputRef } from 'antd';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { setVisibility, STRATEGIES, VISIBILITIES, type Strategy, type Visibility } from '@/api/queries';
import { formatTime } from '@/lib/time';
import { Modal } from '@/ui/modal';
import { notify } from '@/ui/notices';
import { TagsField } from '@/ui/tags-field';
import { draftTitle, type Draft } from '../model/drafts';
import { kindOf } from '../model/use-arrival';
import type { Details, Saved } from '../model/use-saved';
import css from './details-dialog.module.css';

const CRON = /^\s*\S+(\s+\S+){4}\s*$/;

interface DetailsDialogProps {
  draft: Draft;
  saved: Saved;
  onClose: () => void;
  /** The query is on the server now. */
  onCreated: (id: string) => void;
}

export function DetailsDialog({ draft, saved, onClose, onCreated }: DetailsDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const id = useId();
  const title = useRef<InputRef>(null);
  const cron = useRef<InputRef>(null);
  const { query } = saved;
  const fresh = draft.query === null;
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const [details, setDetails] = useState<Details>(() => ({
    title: query?.title ?? (draft.spec !== null ? (kindOf(draft.kind).form?.titleOf(draft.spec) ?? '') : /^\s*(--|\/\/)/.test(draft.text) ? draftTitle(draft.text) : ''),
    notes: query?.notes ?? '',
    tags: query?.tags ?? [],
    visibility: query?.visibility ?? 'private',
    updateStrategy: query?.updateStrategy ?? 'manual',
    cron: query?.cron ?? '',
    paused: query?.paused ?? false,
  }));
  const change = (next: Partial<Details>) => setDetails((now) => ({ ...now, ...next }));
  const needsTitle = details.title.trim() === '';
  const badCron = details.updateStrategy === 'cron' && !CRON.test(details.cron ?? '');

  /** Whether those may see the query who shall. */
  const show = async (visibility: Visibility | undefined): Promise<boolean> => {
    if (!query || !visibility || visibility === query.visibility) return true;
    try {
      await setVisibility(query.id, visibility);
    } catch (error) {
      notify.error(messageOf(error));
      return false;
    }
    await client.invalidateQueries({ queryKey: ['query', query.id] });
    return true;
  };

  const save = async () => {
    setTried(true);
    if (needsTitle) title.current?.focus();
    else if (badCron) cron.current?.focus();
    if (busy || needsTitle || badCron) return;
    setBusy(true);
    const times = details.updateStrategy === 'cron' ? (details.cron ?? '').trim() : '';
    if (fresh) {
      const made = await saved.create({ ...details, cron: times });
      if (made) onCreated(made.id);
    } else {
      const { visibility, ...others } = details;
      const done = (await saved.change({ ...others, cron: times })) && (await show(visibility));
      if (done) {
        notify.success(t('editors.save.done'));
        onClose();
      }
    }
    setBusy(false);
  };

  return (
    <Modal title={t(fresh ? 'editors.details.saveTitle' : 'editors.details.title')} okText={t('editors.tool.save')} cancelText={t('common.cancel')} confirmLoading={busy} onOk={() => void save()} onCancel={onClose} width={560}>
      <div className={css.form}>
        {/* Whoever pressed "Save chart" is asked about a query. */}
        {fresh && draft.charts.length > 0 ? <p className={css.hint}>{t('editors.details.withCharts')}</p> : null}
        <div>
          <label htmlFor={`${id}-title`}>{t('editors.details.name')}</label>
          <Input ref={title} id={`${id}-title`} value={details.title} maxLength={120} status={tried && needsTitle ? 'error' : ''} aria-invalid={tried && needsTitle} aria-describedby={`${id}-title-below`} onChange={(event) => change({ title: event.target.value })} onPressEnter={() => void save()} />
          {tried && needsTitle ? (
            <p id={`${id}-title-below`} className={css.problem} role="alert">
              {t('editors.details.needsName')}
            </p>
          ) : null}
        </div>
        <div>
          <label htmlFor={`${id}-notes`}>{t('editors.details.notes')}</label>
          <Input.TextArea id={`${id}-notes`} value={details.notes} maxLength={4000} autoSize={{ minRows: 2, maxRows: 8 }} onChange={(event) => change({ notes: event.target.value })} />
        </div>
        <TagsField label={t('editors.details.tags')} tags={details.tags ?? []} onChange={(tags) => change({ tags })} />
        <fieldset>
          <legend>{t('editors.details.visibility')}</legend>
          <Radio.Group className={css.choices} value={details.visibility} onChange={(event) => change({ visibility: event.target.value as Visibility })}>
            {VISIBILITIES.map((visibility) => (
              <Radio key={visibility} value={visibility}>
                {t(`editors.visibility.${visibility}`)}
                <small>{t(`editors.visibility.${visibility}Hint`)}</small>
              </Radio>
            ))}
          </Radio.Group>
        </fieldset>
        <div className={css.pair}>
          <div>
            <label htmlFor={`${id}-strategy`}>{t('editors.details.strategy')}</label>
            <Select<Strategy> id={`${id}-strategy`} aria-label={t('editors.details.strategy')} className={css.wide} value={details.updateStrategy ?? 'manual'} options={STRATEGIES.map((value) => ({ value, label: t(`editors.strategy.${value}`) }))} onChange={(updateStrategy) => change({ updateStrategy })} />
          </div>
          {details.updateStrategy === 'cron' ? (
            <div>
              <label htmlFor={`${id}-cron`}>{t('editors.details.cron')}</label>
              <Input ref={cron} id={`${id}-cron`} className={css.code} value={details.cron} placeholder="0 6 * * 1" status={tried && badCron ? 'error' : ''} aria-invalid={tried && badCron} aria-describedby={`${id}-cron-below`} onChange={(event) => change({ cron: event.target.value })} />
              <p id={`${id}-cron-below`} className={tried && badCron ? css.problem : css.hint} role={tried && badCron ? 'alert' : undefined}>
                {t('editors.details.cronHint')}
              </p>
            </div>
          ) : null}
        </div>
        {!fresh && details.updateStrategy !== 'manual' ? (
          <div className={css.row}>
            <Switch id={`${id}-paused`} size="small" aria-label={t('editors.details.paused')} checked={details.paused} onChange={(paused) => change({ paused })} />
            <label htmlFor={`${id}-paused`}>{t('editors.details.paused')}</label>
            {query?.nextRunTime && !details.paused ? <span className={css.hint}>{t('editors.details.next', { time: formatTime(query.nextRunTime) })}</span> : null}
          </div>
        ) : null}
      </div>
    </Modal>
  );
}
