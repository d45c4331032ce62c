// The state of a short form: values, what is wrong with them once a person has left a field, and where to put the focus.
import { useState, type ChangeEvent } from 'react';

export interface Fields<Name extends string, Wrong> {
  values: Record<Name, string>;
  /** What to say at a field now. */
  problem: (name: Name) => Wrong | undefined;
  /** Props of the field's input. */
  props: (name: Name) => {
    name: Name;
    value: string;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
    onBlur: () => void;
  };
  /** Shows every problem and puts the focus on the first one's field; true when there is none. */
  complete: (form: HTMLFormElement) => boolean;
}

export function useFields<Name extends string, Wrong>(
  initial: Record<Name, string>,
  check: (values: Record<Name, string>) => Record<Name, Wrong | null>,
): Fields<Name, Wrong> {
  const [values, setValues] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<Name>>(new Set());
  const problems = check(values);
  return {
    values,
    problem: (name) => (left.has(name) ? (problems[name] ?? undefined) : undefined),
    props: (name) => ({
      name,
      value: values[name],
      onChange: (event) => setValues({ ...values, [name]: event.target.value }),
      // An empty field that is passed by is no mistake yet.
      onBlur: () => values[name] !== '' && setLeft(new Set([...left, name])),
    }),
    complete: (form) => {
      const names = Object.keys(initial) as Name[];
      setLeft(new Set(names));
      const first = names.find((name) => problems[name] !== null);
      if (first === undefined) return true;
      form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return false;
    },
  };
}
