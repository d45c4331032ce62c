// The values a model takes, as the address has them.
import { useId, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import type { Control } from '../model';
import { addressPattern, type Values } from '../values';
import css from './controls.module.css';

interface Props {
  controls: readonly Control[];
  values: Values;
  onChange: (name: string, value: string) => void;
}

export function Controls({ controls, values, onChange }: Props) {
  return controls.map((control) => {
    const value = values[control.name] ?? '';
    const set = (next: string) => onChange(control.name, next);
    if (control.kind === 'choice') return <Choice key={control.name} control={control} value={value} onChange={set} />;
    if (control.kind === 'switch') return <Switch key={control.name} name={control.name} on={value === '1'} onChange={(on) => set(on ? '1' : '0')} />;
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

function Typed({ control, value, onChange }: { control: Extract<Control, { kind: 'date' | 'address' | 'text' }>; value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  // A new value from elsewhere starts the box anew.
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
      {control.kind === 'text' ? (
        <textarea id={id} rows={7} spellCheck={false} value={typed} onChange={({ target }) => setTyped(target.value)} />
      ) : (
        <input id={id} type={inputTypes[control.name]} spellCheck={false} value={typed} aria-invalid={wrong} aria-describedby={wrong ? `${id}-wrong` : undefined} onChange={({ target }) => setTyped(target.value)} />
      )}
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
