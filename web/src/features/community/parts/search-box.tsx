// The search of a list: it writes into the address a moment after the last key, and explains its operators.
import { CircleHelp, Search, X } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isFree } from '@/lib/shortcuts';
import { IconButton } from '@/ui/button';
import { useSearchText } from '@/ui/search-text';
import { operators, withOperator } from '../discover/model';
import css from './search-box.module.css';

interface SearchBoxProps {
  value: string;
  label: string;
  onChange: (search: string) => void;
  /** The list understands operators, which the box then explains. */
  explained?: boolean;
}

export function SearchBox({ value, label, onChange, explained = false }: SearchBoxProps) {
  const { t } = useTranslation();
  const id = useId();
  const root = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [help, setHelp] = useState(false);
  const { text, type, send } = useSearchText(value, onChange);
  useSlash(input);
  useAway(root, help, () => setHelp(false));

  const put = (next: string) => {
    send(next);
    input.current?.focus();
  };

  return (
    <search ref={root} className={css.search}>
      <form
        className={css.box}
        onSubmit={(event) => {
          event.preventDefault();
          setHelp(false);
          send(text);
        }}
      >
        <Search size={17} strokeWidth={1.6} aria-hidden />
        <input ref={input} type="search" value={text} maxLength={200} placeholder={label} aria-label={label} onChange={(event) => type(event.target.value)} />
        {text === '' ? <kbd aria-hidden>/</kbd> : <IconButton size="small" label={t('community.search.clear')} icon={<X size={15} strokeWidth={1.8} />} onClick={() => put('')} />}
        {explained && <IconButton size="small" label={t('community.search.help')} aria-expanded={help} aria-controls={id} icon={<CircleHelp size={16} strokeWidth={1.6} />} onClick={() => setHelp(!help)} />}
      </form>
      {explained && help && (
        <ul id={id} className={css.help}>
          {operators.map(({ key, example }) => (
            <li key={key}>
              <button type="button" onClick={() => put(withOperator(text, example))}>
                <code>{example}</code>
              </button>
              <span>{t(`community.search.${key}`)}</span>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

/** The key `/` goes to the search. */
function useSlash(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isFree(event)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [input]);
}

/** What lies over the page closes with Escape, and when somebody goes on elsewhere. */
function useAway(root: React.RefObject<HTMLElement | null>, open: boolean, close: () => void): void {
  const closing = useEffectEvent(close);
  useEffect(() => {
    if (!open) return;
    const away = ({ target }: Event) => {
      if (!(target instanceof Node) || !root.current?.contains(target)) closing();
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // The browser would also empty the search.
      event.preventDefault();
      closing();
    };
    addEventListener('pointerdown', away);
    addEventListener('focusin', away);
    addEventListener('keydown', escape);
    return () => {
      removeEventListener('pointerdown', away);
      removeEventListener('focusin', away);
      removeEventListener('keydown', escape);
    };
  }, [root, open]);
}
