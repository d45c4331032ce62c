// Small parts that pages are made of: card, tag, progress bar, empty state, skeleton, copy button.
import { Check, Copy } from 'lucide-react';
import { useEffect, useState, type CSSProperties, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './button';
import { useCopy } from './copy';
import { useKeepPlace } from './keep-place';
import { Part } from './part';
import css from './parts.module.css';

interface CardProps {
  title?: ReactNode;
  /** At the right end of the title. */
  extra?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** It fails alone. */
export function Card({ title, extra, className, children }: CardProps) {
  return (
    <section className={[css.card, className].filter(Boolean).join(' ')}>
      {title !== undefined && (
        <header className={css.cardHead}>
          <h2>{title}</h2>
          {extra}
        </header>
      )}
      <Part>{children}</Part>
    </section>
  );
}

export type Tone = 'plain' | 'accent' | 'ok' | 'warn' | 'bad';

export function Tag({ tone = 'plain', title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={css.tag} data-tone={tone} title={title}>
      {children}
    </span>
  );
}

interface ProgressBarProps {
  /** 0 to 100; null while the total is unknown: the bar then shows that work goes on. */
  percent: number | null;
  label: string;
}

export function ProgressBar({ percent, label }: ProgressBarProps) {
  const rounded = percent === null ? undefined : Math.round(percent);
  const style: CSSProperties | undefined = percent === null ? undefined : { width: `${Math.min(100, percent)}%` };
  return (
    <div className={css.progress} data-unknown={percent === null} role="progressbar" aria-label={label} aria-valuenow={rounded} aria-valuemin={0} aria-valuemax={100}>
      <div style={style} />
    </div>
  );
}

interface EmptyProps {
  title: ReactNode;
  children?: ReactNode;
  icon?: ReactNode;
  actions?: ReactNode;
}

/** Nothing here: what that means and what to do about it. Without an icon it shows the empty strata. */
export function Empty({ title, children, icon, actions }: EmptyProps) {
  return (
    <div className={css.empty}>
      {icon ?? (
        <svg width="72" height="44" viewBox="0 0 72 44" fill="none" aria-hidden>
          <rect x="8" y="1" width="28" height="11" rx="1.5" fill="var(--ochre)" />
          <rect x="8.5" y="16.5" width="42" height="11" rx="1.5" stroke="var(--ctl)" strokeDasharray="3 2.5" />
          <rect x="8.5" y="32" width="55" height="11" rx="1.5" stroke="var(--ctl)" strokeDasharray="3 2.5" />
        </svg>
      )}
      <div className={css.emptyTitle}>{title}</div>
      {children !== undefined && <div className={css.emptyText}>{children}</div>}
      {actions !== undefined && <div className={css.emptyActions}>{actions}</div>}
    </div>
  );
}

/** A page of a list that has become shorter, or an address that names a page it never had. */
export function Beyond({ onFirst }: { onFirst: () => void }) {
  const { t } = useTranslation();
  return (
    <Empty
      title={t('common.noData')}
      actions={
        <Button size="small" onClick={onFirst}>
          {t('common.pages.first')}
        </Button>
      }
    >
      {t('common.pages.beyond')}
    </Empty>
  );
}

/** What a part of the page shows when its data could not be loaded: the rest of the page lives on. */
export function Failed({ message, onRetry }: { message: string; onRetry: () => void }) {
  const { t } = useTranslation();
  const place = useKeepPlace<HTMLDivElement>();
  return (
    <div ref={place} className={css.empty} role="alert">
      <p className={css.emptyText}>{message}</p>
      <Button size="small" onClick={onRetry}>
        {t('common.retry')}
      </Button>
    </div>
  );
}

/** Grey shapes with the final height; they wait a moment before they show. */
export function Skeleton({ height, width }: { height: string; width?: string }) {
  return <span className={css.skeleton} style={{ height, width }} data-loading aria-hidden />;
}

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation();
  const copyOrTell = useCopy();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    void copyOrTell(text).then(setCopied);
  };
  return (
    <IconButton
      size="small"
      label={copied ? t('common.copied') : (label ?? t('common.copy'))}
      icon={copied ? <Check size={16} strokeWidth={1.6} /> : <Copy size={16} strokeWidth={1.6} />}
      onClick={copy}
    />
  );
}
