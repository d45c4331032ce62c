// A few choices side by side, of which one holds.
import css from './choice.module.css';

interface ChoiceProps<T extends string> {
  label: string;
  options: readonly T[];
  value: T;
  onChange: (value: T) => void;
  /** How an option is called; itself when left out. */
  name?: (option: T) => string;
}

export function Choice<T extends string>({ label, options, value, onChange, name = (option) => option }: ChoiceProps<T>) {
  return (
    <div className={css.choice} role="group" aria-label={label}>
      {options.map((option) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {name(option)}
        </button>
      ))}
    </div>
  );
}
