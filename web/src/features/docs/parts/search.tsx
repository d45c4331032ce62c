// The search field of the manuals, by the combobox pattern: `/` goes to it, arrows walk the results, Enter opens one.
import { Search as SearchIcon } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { useLanguage } from '@/i18n';
import { isFree } from '@/lib/shortcuts';
import { excerpt } from '../words';
import css from './search.module.css';

const excerptLength = 110;

export function Search({ withMetrics }: { withMetrics: boolean }) {
  const { t } = useTranslation();
  const id = useId();
  const language = useLanguage();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const wanted = query.trim();
  const search = useQuery({ queryKey: ['docs', 'search', language, withMetrics], queryFn: () => import('../search').then(({ searchIn }) => searchIn(language, withMetrics)), enabled: open, staleTime: ({ state }) => (state.data?.whole === false ? 0 : Infinity), retry: false });
  const results = wanted === '' ? [] : (search.data?.find(wanted) ?? []);
  const shown = open && wanted !== '';

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || !isFree(event)) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  const go = (to: string) => {
    setOpen(false);
    setQuery('');
    input.current?.blur();
    void navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      setOpen(false);
      setQuery('');
      return;
    }
    if (!shown || results.length === 0) return;
    const last = results.length - 1;
    if (event.key === 'Enter') {
      const found = results[Math.min(active, last)];
      if (found) go(found.to);
    } else if (event.key === 'ArrowDown') setActive(active >= last ? 0 : active + 1);
    else if (event.key === 'ArrowUp') setActive(active <= 0 ? last : active - 1);
    else return;
    event.preventDefault();
  };

  return (
    <search
      className={css.search}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <div className={css.box}>
        <SearchIcon size={16} strokeWidth={1.6} aria-hidden />
        <input
          ref={input}
          type="text"
          role="combobox"
          autoComplete="off"
          placeholder={t('docs.search')}
          aria-label={t('docs.search')}
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shown && results.length > 0 ? `${id}-${active}` : undefined}
          value={query}
          onFocus={() => setOpen(true)}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
            setOpen(true);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden>/</kbd>
      </div>
      <div className={css.panel} hidden={!shown}>
        {search.isError ? (
          <p className={css.note}>
            {t('docs.searchFailed')} <button type="button" onClick={() => void search.refetch()}>{t('common.retry')}</button>
          </p>
        ) : results.length === 0 ? (
          <p className={css.note} role="status">
            {search.isPending ? t('docs.searching') : t('docs.nothingFound', { query: wanted })}
          </p>
        ) : null}
        <ul id={`${id}-list`} role="listbox" aria-label={t('docs.results')} hidden={results.length === 0}>
          {results.map((found, index) => (
            // The keys are the field's: it keeps the focus.
            // eslint-disable-next-line jsx-a11y/click-events-have-key-events
            <li key={found.id} id={`${id}-${index}`} role="option" aria-selected={index === active} onMouseDown={(event) => event.preventDefault()} onMouseMove={() => setActive(index)} onClick={() => go(found.to)}>
              <span className={css.where}>
                {found.title}
                {found.heading === '' ? null : ` › ${found.heading}`}
              </span>
              <span className={css.excerpt}>
                <Marked text={excerpt(found.text, wanted, excerptLength)} query={wanted} />
              </span>
            </li>
          ))}
        </ul>
      </div>
    </search>
  );
}

/** The text with the words of the query marked. */
function Marked({ text, query }: { text: string; query: string }) {
  const words = query.split(/\s+/).filter((word) => word !== '').map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pieces = text.split(new RegExp(`(${words.join('|')})`, 'gi'));
  return pieces.map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece));
}
