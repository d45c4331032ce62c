// Filters and columns that many lists share.
import { createElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { count } from '@/lib/format';
import { Moment, momentText, Person } from './cells';
import type { Column } from './data-table';
import type { FilterSpec } from './filters';

/** The words of a list's filters and columns; `Row` is what its rows are. */
export function useCommon<Row>() {
  const { t } = useTranslation();

  /** Part of a user's name. */
  const user = (key = 'userName'): FilterSpec => ({ kind: 'text', key, label: t('system.kit.userName') });
  const text = (key: string, label: string): FilterSpec => ({ kind: 'text', key, label });
  const days = (label?: string): FilterSpec => ({ kind: 'days', label: label ?? t('system.kit.days') });
  const choice = (key: string, label: string, options: readonly (readonly [value: string, label: string])[]): Extract<FilterSpec, { kind: 'choice' }> => ({
    kind: 'choice',
    key,
    label,
    options: options.map(([value, name]) => ({ value, label: name })),
  });

  /** Who it is about, with the picture. */
  const person = (name: (row: Row) => string, head = t('system.kit.user')): Column<Row> => ({
    key: 'person',
    head,
    main: true,
    text: name,
    cell: (row) => createElement(Person, { name: name(row) }),
  });
  /** A moment in UTC. */
  const moment = (key: string, head: string, of: (row: Row) => number | null | undefined): Column<Row> => ({
    key,
    head: t('system.kit.utc', { head }),
    text: (row) => momentText(of(row)),
    cell: (row) => createElement(Moment, { ms: of(row) }),
  });
  const number = (key: string, head: string, of: (row: Row) => number, cell?: (row: Row) => ReactNode): Column<Row> => ({
    key,
    head,
    end: true,
    text: (row) => String(of(row)),
    cell: cell ?? ((row) => count(of(row))),
  });
  const plain = (key: string, head: string, of: (row: Row) => string, more: Partial<Column<Row>> = {}): Column<Row> => ({ key, head, text: of, ...more });
  const actions = (cell: (row: Row) => ReactNode): Column<Row> => ({ key: 'actions', head: t('system.kit.actions'), end: true, cell });

  return { user, text, days, choice, person, moment, number, plain, actions };
}
