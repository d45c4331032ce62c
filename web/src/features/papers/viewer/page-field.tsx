// The number of the page: typed, and gone to with Enter or on leaving.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import css from './viewer.module.css';

interface PageFieldProps {
  current: number;
  pages: number;
  onGo: (number: number) => void;
}

export function PageField({ current, pages, onGo }: PageFieldProps) {
  const { t } = useTranslation();
  /** Null while nobody types: then it follows the page on show. */
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const number = Number(typed ?? current);
    setTyped(null);
    if (number !== current && Number.isInteger(number) && number >= 1 && number <= pages) onGo(number);
  };
  return (
    <form
      className={css.page}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <input inputMode="numeric" aria-label={t('papers.page')} value={typed ?? String(current)} onChange={({ target }) => setTyped(target.value)} onBlur={go} />
      <span>{t('papers.of', { pages })}</span>
    </form>
  );
}
