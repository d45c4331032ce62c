// The values a model takes, as the address has them.
import { LogIn } from 'lucide-react';
import { useId, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { loginPath } from '@/lib/guard';
import { useSession } from '@/lib/session';
import { Button, ButtonLink } from '@/ui/button';
import type { Control } from '../model';
import { addressPattern, type Values } from '../values';
import css from './controls.module.css';

interface Props {
  controls: readonly Control[];
  values: Values;
  /** The query on the stage, for who wants to write another one. */
  text: string;
  onChange: (name: string, value: string) => void;
}

export function Controls({ controls, values, text, onChange }: Props) {
  return controls.map((control) => {
    const value = values[control.name] ?? '';
    const set = (next: string) => onChange(control.name, next);
    if (control.kind === 'choice') return <Choice key={control.name} control={control} value={value} onChange={set} />;
    if (control.kind === 'switch') return <Switch key={control.name} name={control.name} on={value === '1'} onChange={(on) => set(on ? '1' : '0')} />;
    if (control.kind === 'text') return <OwnQuery key={control.name} name={control.name} text={text} onChange={set} />;
    return <Typed key={control.name} control={control} value={value} onChange={set} />;
  });
}

function Choice({ control, value, onChange }: { control: Extract<Control, { kind: 'choice' }>; value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className={css.control}>
      <span id={id}>{t(`models.control.${control.name}`)}</span>
      <div role="group" aria-labelledby={id} className={css.choice}>
        {control.options.map((option) => (
          <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
            {control.name === 'direction' ? t(`models.direction.${option as 'out' | 'in' | 'both'}`) : option}
          </button>
        ))}
      </div>
    </div>
  );
}

function Switch({ name, on, onChange }: { name: 'poor'; on: boolean; onChange: (on: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <label className={css.switch}>
      <input type="checkbox" checked={on} onChange={({ target }) => onChange(target.checked)} />
      {t(`models.control.${name}`)}
    </label>
  );
}

const inputTypes = { day: 'date', month: 'month', address: 'text', token: 'text' } as const;

function Typed({ control, value, onChange }: { control: Extract<Control, { kind: 'date' | 'address' }>; value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  // A new value from elsewhere replaces what was typed.
  if (seen !== value) {
    setSeen(value);
    setTyped(value);
  }
  const wrong = control.kind === 'address' && typed.trim() !== '' && !addressPattern.test(typed.trim());
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!wrong && typed.trim() !== '') onChange(typed.trim());
  };
  return (
    <form className={css.control} onSubmit={submit}>
      <label htmlFor={id}>{t(`models.control.${control.name}`)}</label>
      <input id={id} type={inputTypes[control.name]} spellCheck={false} value={typed} aria-invalid={wrong} aria-describedby={wrong ? `${id}-wrong` : undefined} onChange={({ target }) => setTyped(target.value)} />
      {wrong && (
        <p id={`${id}-wrong`} className={css.wrong}>
          {t('models.wrongAddress')}
        </p>
      )}
      <Button type="submit" size="small">
        {t('models.show')}
      </Button>
    </form>
  );
}

/** A query that a person writes in place of the model's. Visitors read the model's: theirs would be run by nobody. */
function OwnQuery({ name, text, onChange }: { name: 'cypher'; text: string; onChange: (text: string) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const location = useLocation();
  const visitor = useSession().token === null;
  const [typed, setTyped] = useState<string | null>(null);
  const [seen, setSeen] = useState(text);
  // A new query on the stage replaces what was typed.
  if (seen !== text) {
    setSeen(text);
    setTyped(null);
  }
  const shown = typed ?? text;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!visitor && shown.trim() !== '') onChange(shown.trim());
  };
  return (
    <form className={css.control} onSubmit={submit}>
      <label htmlFor={id}>{t(`models.control.${name}`)}</label>
      <textarea id={id} rows={7} spellCheck={false} readOnly={visitor} value={shown} onChange={({ target }) => setTyped(target.value)} />
      {visitor ? (
        <>
          <p className={css.hint}>{t('models.ownQuery')}</p>
          <ButtonLink size="small" to={loginPath(location)} icon={<LogIn size={15} strokeWidth={1.6} />}>
            {t('session.logIn')}
          </ButtonLink>
        </>
      ) : (
        <Button type="submit" size="small">
          {t('models.show')}
        </Button>
      )}
    </form>
  );
}
