/** What went wrong, with the line it is in, the name that was probably meant, and the way there. */
import { CircleX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { useElapsedText } from '@/ui/elapsed';
import { CopyButton } from '@/ui/parts';
import type { PlacedProblem } from '../model/problem';
import css from './error-card.module.css';

interface ErrorCardProps {
  message: string;
  /** The name that was probably meant. */
  suggestion: string | null;
  elapsedMs: number | null;
  place: PlacedProblem | null;
  /** Whether the place is still in the editor's text. */
  reachable: boolean;
  onGoTo: () => void;
  onUse: (name: string) => void;
}

export function ErrorCard({ message, suggestion, elapsedMs, place, reachable, onGoTo, onUse }: ErrorCardProps) {
  const { t } = useTranslation();
  const elapsedText = useElapsedText();
  const copied = place ? `${t('queries.error.line', { line: place.line })}: ${message}\n${place.lineText}` : message;
  return (
    <div className={css.error} role="alert">
      <div className={css.head}>
        <CircleX size={18} strokeWidth={1.8} aria-hidden />
        <h2>{t('queries.error.title')}</h2>
        {elapsedMs === null ? null : <span>{t('queries.error.after', { time: elapsedText(elapsedMs) })}</span>}
      </div>
      <div className={css.box}>
        <p>
          {place ? `${t('queries.error.line', { line: place.line })}: ` : ''}
          {message}
        </p>
        {place && place.lineText.trim() !== '' ? (
          <pre>
            <span className={css.number}>{`${place.line} | `}</span>
            {place.lineText.slice(0, place.start)}
            <u>{place.lineText.slice(place.start, place.end)}</u>
            {place.lineText.slice(place.end)}
          </pre>
        ) : null}
      </div>
      <div className={css.actions}>
        {suggestion !== null && reachable ? (
          <Button kind="primary" size="small" onClick={() => onUse(suggestion)}>
            {t('queries.error.use', { name: suggestion })}
          </Button>
        ) : null}
        {place && reachable ? (
          <Button size="small" onClick={onGoTo}>
            {t('queries.error.goTo', { line: place.line })}
          </Button>
        ) : null}
        <CopyButton text={copied} label={t('queries.error.copy')} />
      </div>
    </div>
  );
}
