// What stands above an entrance's fields: its name, the way to the other entrance, and why the form was refused.
import { CircleAlert } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import css from './session.module.css';

interface FormHeadProps {
  title: string;
  question: string;
  /** The other entrance; it leads back to the same page afterwards. */
  other: { pathname: string; name: string };
  /** Inside the form: the entrances show no popup. */
  error: string | null;
}

export function FormHead({ title, question, other, error }: FormHeadProps) {
  const [search] = useSearchParams();
  return (
    <>
      <div>
        <h1>{title}</h1>
        <p className={css.lead}>
          {question} <Link to={{ pathname: other.pathname, search: search.toString() }}>{other.name}</Link>
        </p>
      </div>
      {error !== null && <Refusal message={error} />}
    </>
  );
}

export function Refusal({ message }: { message: string }) {
  return (
    <div className={css.error} role="alert">
      <CircleAlert size={18} strokeWidth={1.6} />
      <span>{message}</span>
    </div>
  );
}
