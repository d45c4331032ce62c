// A field of tags: each added with Enter or a comma, taken away with its cross or Backspace.
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { longestTag, tagProblem } from '@/lib/validate';
import field from './field.module.css';
import css from './tags-field.module.css';

interface TagsFieldProps {
  label: string;
  tags: readonly string[];
  onChange: (tags: string[]) => void;
}

export function TagsField({ label, tags, onChange }: TagsFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const problem = text === '' ? null : tagProblem(text, tags);
  const add = () => {
    if (tagProblem(text, tags) !== null) return;
    onChange([...tags, text.trim()]);
    setText('');
  };
  const drop = (tag: string) => onChange(tags.filter((one) => one !== tag));
  return (
    <div className={field.field}>
      <div className={field.head}>
        <label htmlFor={id}>{label}</label>
      </div>
      <div className={`${field.box ?? ''} ${css.box ?? ''}`} data-invalid={problem !== null}>
        {tags.map((tag) => (
          <span key={tag} className={css.tag}>
            {tag}
            <button type="button" aria-label={t('common.tags.remove', { tag })} onClick={() => drop(tag)}>
              <X size={13} strokeWidth={2} />
            </button>
          </span>
        ))}
        <input
          id={id}
          value={text}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-below`}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            // Enter chooses among the words that an input method offers.
            if (event.nativeEvent.isComposing) return;
            const comma = event.key === ',' || event.key === '，';
            if (event.key === 'Enter' || comma) {
              // Enter adds the tag and leaves the form open.
              if (text !== '' || comma) event.preventDefault();
              add();
            } else if (event.key === 'Backspace' && text === '') {
              const last = tags.at(-1);
              if (last !== undefined) drop(last);
            }
          }}
        />
      </div>
      <p id={`${id}-below`} className={problem === null ? field.hint : field.error}>
        {t(`common.tags.${problem ?? 'hint'}`, { count: longestTag })}
      </p>
    </div>
  );
}
