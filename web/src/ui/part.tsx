// A part of the page that fails alone: what breaks in it, and code of it that can't be loaded, takes nothing else away.
import { Component, lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { inTime, isLoadFailure, loadStylesAgain, NotLoaded } from '@/lib/loading';
import { usePage } from '@/lib/page';
import { createStore, useStore } from '@/lib/store';
import { Button } from './button';
import { useKeepPlace } from './keep-place';
import { notify } from './notices';
import css from './parts.module.css';

/** Counts how often code was asked for again: what one part needs is as a rule what others beside it wait for. */
const rounds = createStore(0);

/** Tries again whatever waits for code that could not be loaded. */
export const loadAgain = (): void => rounds.set((now) => now + 1);

type PropsOf<C extends (props: never) => ReactNode> = Parameters<C> extends [infer P extends object] ? P : object;

/** React's `lazy`, which gives up after two minutes, and whose failure is not for ever: after it the code is asked for again by the next who shows it. */
export function lazyPart<M extends { default: (props: never) => ReactNode }>(load: () => Promise<M>): (props: PropsOf<M['default']>) => ReactNode {
  const begin = (first: boolean) =>
    lazy(async () => {
      try {
        if (!first) await loadStylesAgain();
        return { default: (await inTime(load)).default as (props: object) => ReactNode };
      } catch (cause) {
        throw new NotLoaded(cause, () => {
          code = begin(false);
        });
      }
    });
  let code = begin(true);
  return function LazyPart(props: PropsOf<M['default']>) {
    const Loaded = code;
    return <Loaded {...props} />;
  };
}

interface PartProps {
  children: ReactNode;
  /** Stands there while code is on its way. */
  waiting?: ReactNode;
  /** What is shown: when one of them changes, what failed is tried again. */
  of?: readonly unknown[];
  /** Lies over the page, where nothing can stand in its place: the failure is told in a notice, and this closes it. */
  onGone?: () => void;
  /** It is a whole page: what stands in its place names it, or it would bear the name of the page before. */
  page?: boolean;
  /** Nobody misses it: nothing stands in its place. */
  quiet?: boolean;
}

interface State {
  failed: { error: unknown } | null;
}

const same = (one: readonly unknown[] = [], other: readonly unknown[] = []): boolean => one.length === other.length && one.every((value, at) => Object.is(value, other[at]));

export class Part extends Component<PartProps, State> {
  override state: State = { failed: null };

  static getDerivedStateFromError(error: unknown): State {
    return { failed: { error } };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof NotLoaded) error.forget();
  }

  override componentDidUpdate(before: PartProps, { failed }: State): void {
    if (failed !== null && this.state.failed !== null && !same(before.of, this.props.of)) this.again();
  }

  readonly again = (): void => this.setState({ failed: null });

  override render(): ReactNode {
    const { children, waiting = null, onGone, page = false, quiet = false } = this.props;
    const { failed } = this.state;
    if (failed === null) return <Suspense fallback={waiting}>{children}</Suspense>;
    if (quiet) return null;
    if (onGone) return <Gone error={failed.error} onGone={onGone} />;
    return (
      <>
        {page && <Named error={failed.error} />}
        <Broken error={failed.error} onAgain={this.again} />
      </>
    );
  }
}

function Named({ error }: { error: unknown }) {
  const { t } = useTranslation();
  usePage(t(isLoadFailure(error) ? 'shell.notLoadedTitle' : 'shell.brokenTitle'));
  return null;
}

function Broken({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useTranslation();
  const place = useKeepPlace<HTMLDivElement>();
  const missing = isLoadFailure(error);
  const round = useStore(rounds);
  const [failedIn] = useState(round);
  useEffect(() => {
    if (missing && round !== failedIn) onAgain();
  }, [missing, round, failedIn, onAgain]);
  return (
    <div ref={place} className={css.empty} role="alert">
      <p className={css.emptyText}>{t(missing ? 'common.partNotLoaded' : 'common.partBroken')}</p>
      <div className={css.emptyActions}>
        <Button size="small" onClick={missing ? loadAgain : onAgain}>
          {t('common.retry')}
        </Button>
        {missing && (
          <Button size="small" onClick={() => location.reload()}>
            {t('shell.reload')}
          </Button>
        )}
      </div>
    </div>
  );
}

function Gone({ error, onGone }: { error: unknown; onGone: () => void }) {
  const { t } = useTranslation();
  const tell = useEffectEvent(() => {
    notify.error(t(isLoadFailure(error) ? 'common.partNotLoaded' : 'common.partBroken'));
    onGone();
  });
  useEffect(() => tell(), []);
  return null;
}
