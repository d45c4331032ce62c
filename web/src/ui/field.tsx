// A labelled input with its hint and its error, tied together for readers of every kind.
import { Eye, EyeOff } from 'lucide-react';
import { useId, useState, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import css from './field.module.css';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  label: string;
  hint?: string;
  error?: string;
  icon?: ReactNode;
  /** Small words behind the label, such as "optional". */
  note?: string;
  ref?: Ref<HTMLInputElement>;
}

export function Field({ label, hint, error, icon, note, type = 'text', ...input }: FieldProps) {
  const id = useId();
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const secret = type === 'password';
  const below = error ?? hint;
  return (
    <div className={css.field}>
      <div className={css.head}>
        <label htmlFor={id}>{label}</label>
        {note !== undefined && <span className={css.note}>{note}</span>}
      </div>
      <div className={css.box} data-invalid={error !== undefined}>
        {icon}
        <input
          {...input}
          id={id}
          type={secret && shown ? 'text' : type}
          aria-invalid={error !== undefined}
          aria-describedby={below === undefined ? undefined : `${id}-below`}
        />
        {secret && (
          <button
            type="button"
            className={css.reveal}
            aria-label={t(shown ? 'common.hidePassword' : 'common.showPassword')}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff size={17} strokeWidth={1.6} /> : <Eye size={17} strokeWidth={1.6} />}
          </button>
        )}
      </div>
      {below !== undefined && (
        <p id={`${id}-below`} className={error === undefined ? css.hint : css.error}>
          {below}
        </p>
      )}
    </div>
  );
}
