/** A LABEL job: which rule runs, on what, and with which numbers; and what the server's catalogue says of rules. */
import { reportMonth } from '@/lib/time';

export interface Both {
  en: string;
  zh: string;
}

export const FIELDS = ['eoa', 'contractAddress', 'dappName', 'erc721', 'month', 'startDate', 'endDate'] as const;
export type Field = (typeof FIELDS)[number];

export interface Rule {
  id: string;
  /** The `label` of a spec. */
  name: string;
  title: Both;
  text: Both;
  /** What the value of a label counts. */
  value: Both;
  labels: string[];
  inputs: { field: Field; required: boolean }[];
  parameters: { name: string; kind: 'whole' | 'fraction' | 'ether'; default: string; min: string; max: string; text: Both }[];
  source: string;
  version: number;
}

export interface Catalogue {
  categories: { name: string; title: Both; rules: Rule[] }[];
}

export interface LabelSpec extends Partial<Record<Field, string>> {
  label?: string;
  parameters?: Record<string, string>;
}

export const asSpec = (spec: object): LabelSpec => spec;

export const firstSpec = (): LabelSpec => ({ label: '' });

/** The spec that a text holds as JSON. */
export function readSpec(text: string): LabelSpec {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? read : firstSpec();
  } catch {
    return firstSpec();
  }
}

export type FieldProblem = 'required' | 'address' | 'month' | 'dates' | 'number' | 'bounds';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NUMBER = /^\d+(\.\d+)?$/;

/** A spec for another rule: fields that it takes too stay, a month and numbers are as at first. */
export function specFor(rule: Rule, before: LabelSpec, now: number): LabelSpec {
  const spec: LabelSpec = { label: rule.name };
  for (const { field } of rule.inputs) {
    const value = before[field];
    if (value) spec[field] = value;
    else if (field === 'month') spec.month = reportMonth(now);
  }
  return spec;
}

/** What is wrong with each field and parameter before it is sent. */
export function problemsOf(rule: Rule, spec: LabelSpec): Record<string, FieldProblem> {
  const problems: Record<string, FieldProblem> = {};
  for (const { field, required } of rule.inputs) {
    const value = (spec[field] ?? '').trim();
    if (value === '') {
      if (required) problems[field] = 'required';
    } else if (field === 'month' && !/^\d{4}-(0[1-9]|1[0-2])$/.test(value)) problems[field] = 'month';
    else if (['eoa', 'contractAddress', 'erc721'].includes(field) && !ADDRESS.test(value)) problems[field] = 'address';
  }
  if (spec.startDate && spec.endDate && spec.startDate > spec.endDate) problems['endDate'] = 'dates';
  for (const parameter of rule.parameters) {
    const value = (spec.parameters?.[parameter.name] ?? '').trim();
    if (value === '') continue;
    if (!NUMBER.test(value) || (parameter.kind === 'whole' && value.includes('.'))) problems[parameter.name] = 'number';
    else if (Number(value) < Number(parameter.min) || Number(value) > Number(parameter.max)) problems[parameter.name] = 'bounds';
  }
  return problems;
}
