// Why a job failed or the server refused something, in the language of the page. Both say it in English, with the names and numbers
// it is about; its Chinese is found by the pattern of the sentence and loads where a failure is shown.
import { useQuery } from '@tanstack/react-query';
import { errorLead, errorText, getLanguage, useLanguage, type Language } from '.';

export interface JobFailure {
  readonly code?: string | null | undefined;
  readonly message: string;
}

export type TellFailure = (failure: JobFailure) => string;

/** What a job says itself, which is English. */
const asSaid: TellFailure = ({ message }) => message;

interface Pattern {
  readonly english: RegExp;
  readonly chinese: string;
}

/**
 * `{0}` is a name, number or text of the query and stays as it is, `{0:a|b}` one of the words named; `<0>` is words of the parser or
 * another sentence, which have patterns of their own.
 */
const places = /(\{\d(?::[^}]+)?\})/g;
const choice = /^\{\d:([^}]+)\}$/;
const written = /\{(\d)\}|<(\d)>/g;
const suggestion = /^(.+?) (Did you mean [^?]+\?)$/su;

function pattern([english, chinese]: [string, string]): Pattern {
  const literal = english.split(places).map((part, at) => (at % 2 === 1 ? `(${choice.exec(part)?.[1] ?? '.+?'})` : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return { english: new RegExp(`^${literal.join('')}$`, 'su'), chinese };
}

/** The sentence in Chinese with its names as they are; nothing for one that no pattern knows. */
function translated(sentence: string, patterns: readonly Pattern[]): string | undefined {
  for (const { english, chinese } of patterns) {
    const found = english.exec(sentence);
    const part = (place: string) => found?.[Number(place) + 1] ?? '';
    const words = (place: string) => translated(part(place), patterns) ?? clause(part(place), patterns) ?? ` ${part(place)} `;
    if (found) return chinese.replace(written, (_, name: string | undefined, place: string) => (name === undefined ? words(place) : part(name)));
  }
  const [, sentenceBefore, meant] = suggestion.exec(sentence) ?? [];
  const before = sentenceBefore === undefined ? undefined : translated(sentenceBefore, patterns);
  return before === undefined || meant === undefined ? undefined : `${before}${translated(meant, patterns) ?? meant}`;
}

/** A sentence that stands inside another one has no full stop there. */
const clause = (words: string, patterns: readonly Pattern[]): string | undefined => translated(`${words}.`, patterns)?.replace(/。$/u, '');

const readPatterns = async (): Promise<readonly Pattern[]> => Object.entries((await import('./zh/failures.json')).default).map(pattern);

/** Of what the server says when it refuses something, and of the failures of jobs; there once something was refused on a Chinese page. */
let known: readonly Pattern[] | undefined;

/** A failure is told after so many milliseconds at the latest: then in English, where the sentences do not come. */
const waitMs = 2_000;
let coming: Promise<void> | undefined;

async function readRefusals(): Promise<void> {
  try {
    const [{ default: refusals }, failures] = await Promise.all([import('./zh/refusals.json'), readPatterns()]);
    known = [...Object.entries(refusals).map(pattern), ...failures];
  } catch (error) {
    console.warn('The sentences of failures could not be loaded', error);
  } finally {
    coming = undefined;
  }
}

/**
 * Makes the sentences ready that `refusalText` finds, unless the `code` alone says what happened; a page that can't have them soon does
 * without.
 */
export async function readyRefusals(code: string): Promise<void> {
  if (getLanguage() === 'en' || known || errorText(code) !== undefined) return;
  coming ??= readRefusals();
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([coming, new Promise((resolve) => (timer = setTimeout(resolve, waitMs)))]);
  clearTimeout(timer);
}

/** What the server said, in the language of the page; nothing for a sentence that has no other form. */
export const refusalText = (message: string): string | undefined => (getLanguage() === 'en' || !known ? undefined : translated(message, known));

export async function loadFailures(language: Language): Promise<TellFailure> {
  if (language === 'en') return asSaid;
  const patterns = await readPatterns();
  return ({ code, message }) =>
    translated(message, patterns) ?? (code ? (errorText(code) ?? [errorLead(code), message].filter(Boolean).join(' ')) : message);
}

/** As the job said it until the texts of another language are there. */
export function useFailures(): TellFailure {
  const language = useLanguage();
  const { data } = useQuery({ queryKey: ['failures', language], queryFn: () => loadFailures(language), staleTime: Infinity, enabled: language !== 'en' });
  return data ?? asSaid;
}
