// The text of a search: each key counts at once, the words are handed on after a pause. They are kept beside it, or elsewhere, as a
// rule in the address, which is slower than a hand.
import { useEffect, useEffectEvent, useState } from 'react';

/** A search is sent when nobody has typed for this long. */
const pauseMs = 300;

/** The words of what is typed, once nobody has typed for a while; without any there is nothing to wait for. */
export function useRested(text: string): string {
  const words = text.trim();
  const [rested, setRested] = useState(words);
  if (words === '' && rested !== '') setRested('');
  useEffect(() => {
    if (words === rested) return;
    const timer = setTimeout(() => setRested(words), pauseMs);
    return () => clearTimeout(timer);
  }, [words, rested]);
  return rested;
}

interface SearchText {
  text: string;
  type: (text: string) => void;
  /** Hands the words on without waiting. */
  send: (text: string) => void;
}

export function useSearchText(value: string, onChange: (search: string) => void): SearchText {
  const [text, setText] = useState(value);
  const [given, setGiven] = useState(value);
  const [sent, setSent] = useState(value);
  // Another search came from outside, by a tag or the back button. What was sent from here may come back after more was typed.
  if (given !== value) {
    setGiven(value);
    setSent(value);
    if (value !== sent && value !== text.trim()) setText(value);
  }
  const send = (next: string) => {
    setText(next);
    setSent(next.trim());
    onChange(next.trim());
  };
  const sendLate = useEffectEvent(send);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => sendLate(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, value]);
  return { text, type: setText, send };
}

interface SearchInputProps {
  value: string;
  label: string;
  className?: string | undefined;
  maxLength: number;
  onChange: (search: string) => void;
}

/** A plain search field; the list beside it follows what is typed. */
export function SearchInput({ value, label, className, maxLength, onChange }: SearchInputProps) {
  const { text, type } = useSearchText(value, onChange);
  return <input type="search" className={className} aria-label={label} placeholder={label} value={text} maxLength={maxLength} onChange={({ target }) => type(target.value)} />;
}
