// The feedback form: what it is about, what to do better, and pictures of it.
import { ImagePlus, Trash2, X } from 'lucide-react';
import { useId, useRef, useState, type ClipboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { bytes } from '@/lib/format';
import { useStore } from '@/lib/store';
import { notify } from '@/ui/notices';
import { Button, IconButton } from '@/ui/button';
import { addShots, feedback, forgetFeedback, removeShot, sendFeedback, writeFeedback, type Shot } from '../model/feedback';
import type { ScreenshotProblem } from '../model/screenshot';
import { usePanel } from './use-panel';
import css from './feedback.module.css';
import dock from './dock.module.css';

export function FeedbackForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const panel = usePanel(onClose);
  const location = useLocation();
  const picker = useRef<HTMLInputElement>(null);
  const { title, content, shots, busy, failure } = useStore(feedback);
  const [wrong, setWrong] = useState<ScreenshotProblem | null>(null);
  const [checked, setChecked] = useState(false);
  const page = location.pathname + location.search;

  const add = (files: Iterable<File>) => setWrong(addShots(files));
  const remove = (shot: Shot) => {
    removeShot(shot);
    setWrong(null);
  };
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  };

  const send = async () => {
    setChecked(true);
    if (title.trim() === '' || content.trim() === '') {
      panel.current?.querySelector<HTMLElement>(title.trim() === '' ? 'input' : 'textarea')?.focus();
      return;
    }
    if (!(await sendFeedback(page))) return;
    notify.success(t('dock.sent'));
    onClose();
  };

  const noTitle = checked && title.trim() === '';
  const noContent = checked && content.trim() === '';
  return (
    <section ref={panel} className={dock.feedback} role="dialog" aria-labelledby={`${id}-head`} tabIndex={-1} onPaste={paste}>
      <header className={dock.head}>
        <h2 id={`${id}-head`}>{t('dock.feedback')}</h2>
        <IconButton size="small" label={t('common.close')} icon={<X size={17} strokeWidth={1.6} />} onClick={onClose} />
      </header>
      <form
        className={css.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <label htmlFor={`${id}-title`}>{t('dock.formTitle')}</label>
        <input
          id={`${id}-title`}
          maxLength={100}
          placeholder={t('dock.titleHint')}
          value={title}
          aria-invalid={noTitle}
          aria-describedby={noTitle ? `${id}-no-title` : undefined}
          onChange={(event) => writeFeedback({ title: event.target.value })}
        />
        {noTitle && (
          <p id={`${id}-no-title`} role="alert" className={css.problem}>
            {t('dock.titleRequired')}
          </p>
        )}
        <label htmlFor={`${id}-content`}>{t('dock.suggestion')}</label>
        <textarea
          id={`${id}-content`}
          rows={5}
          maxLength={5000}
          value={content}
          aria-invalid={noContent}
          aria-describedby={noContent ? `${id}-no-content` : undefined}
          onChange={(event) => writeFeedback({ content: event.target.value })}
        />
        {noContent && (
          <p id={`${id}-no-content`} role="alert" className={css.problem}>
            {t('dock.suggestionRequired')}
          </p>
        )}
        <span className={css.label}>{t('dock.screenshot')}</span>
        <div className={css.shots}>
          {shots.map((shot) => (
            <div key={shot.url} className={css.shot}>
              <img src={shot.url} alt="" />
              <span>
                <strong className="ellipsis">{shot.file.name}</strong>
                <small>{bytes(shot.file.size)}</small>
              </span>
              <IconButton size="small" label={t('dock.removeShot', { name: shot.file.name })} icon={<Trash2 size={16} strokeWidth={1.6} />} onClick={() => remove(shot)} />
            </div>
          ))}
          <Button size="small" icon={<ImagePlus size={16} strokeWidth={1.6} />} onClick={() => picker.current?.click()}>
            {t('dock.addShot')}
          </Button>
          <input
            ref={picker}
            type="file"
            hidden
            multiple
            accept=".jpg,.jpeg,.png,.gif,image/jpeg,image/png,image/gif"
            aria-label={t('dock.addShot')}
            onChange={(event) => {
              add([...(event.target.files ?? [])]);
              event.target.value = '';
            }}
          />
        </div>
        <p className={wrong ? css.problem : css.hint} role={wrong ? 'alert' : undefined}>
          {wrong ? t(`dock.shotProblems.${wrong}`) : t('dock.shotHint')}
        </p>
        <p className={css.hint}>{t('dock.pageAddress', { page })}</p>
        {failure !== null && (
          <p role="alert" className={css.problem}>
            {failure}
          </p>
        )}
        <div className={css.buttons}>
          <Button
            onClick={() => {
              forgetFeedback();
              onClose();
            }}
          >
            {t('common.cancel')}
          </Button>
          <Button type="submit" kind="primary" busy={busy}>
            {t('dock.send')}
          </Button>
        </div>
      </form>
    </section>
  );
}
