/** The saved query behind a draft: whether the draft differs from it, saving it, and what to do when somebody else saved first. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, messageOf } from '@/api/error';
import { createQuery, getQuery, updateQuery, type NewQuery, type QueryChange, type SavedQuery } from '@/api/queries';
import { notify } from '@/ui/notices';
import { chartOf, sameText, textOf, type Draft } from './drafts';
import { changeDraft, findTab } from './tabs';
import { isKept, saveCharts, useChartTitle } from './use-charts';

export const queryKey = (id: string | undefined, share: string | null) => ['query', id, share] as const;

export type Details = Pick<NewQuery, 'title' | 'notes' | 'tags' | 'visibility' | 'updateStrategy' | 'cron'> & { paused: boolean };

export interface Saved {
  query: SavedQuery | undefined;
  /** The draft may be saved by who looks at it. */
  editable: boolean;
  /** It says something else than what is saved, or is not saved at all. */
  dirty: boolean;
  saving: boolean;
  /** Somebody saved another text since this draft began. */
  outdated: boolean;
  /** What somebody else saved in the meantime, until it is decided what holds. */
  conflict: SavedQuery | null;
  /** Saves the text and the charts of a saved query; on a given revision, whatever was saved since. */
  save: (over?: SavedQuery, text?: string) => void;
  /** Saves one chart alone. */
  saveChart: (chart: string) => void;
  create: (details: Details) => Promise<SavedQuery | null>;
  change: (details: Omit<QueryChange, 'id' | 'revision'>) => Promise<boolean>;
  /** Takes what is saved in place of the draft. */
  take: (query: SavedQuery) => void;
  settle: () => void;
  /** Asks the server again, as after somebody else may see it. */
  reload: () => void;
}

export function useSaved(draft: Draft): Saved {
  const { t } = useTranslation();
  const client = useQueryClient();
  const titleOf = useChartTitle();
  const share = draft.viewing?.share ?? null;
  const id = draft.query?.id;
  const [conflict, setConflict] = useState<SavedQuery | null>(null);
  const found = useQuery({ queryKey: queryKey(id, share), queryFn: ({ signal }) => getQuery(id ?? '', share, signal), enabled: id !== undefined });
  const query = id === undefined ? undefined : found.data;
  const differs = query !== undefined && !sameText(textOf(draft), query.what);
  const charts = draft.charts.some((chart) => !isKept(chart, query));

  /** What was saved is newer than an answer that is still on its way. */
  const know = (next: SavedQuery) => {
    void client.cancelQueries({ queryKey: queryKey(next.id, null), exact: true });
    client.setQueryData(queryKey(next.id, null), next);
  };
  const take = (next: SavedQuery) => {
    know(next);
    changeDraft(draft.id, { kind: next.what.kind, text: next.what.text ?? '', spec: next.what.spec ?? null, parameters: next.what.parameters ?? [], title: next.title, query: { id: next.id, revision: next.revision }, charts: next.visualizations.map(chartOf) });
  };

  /** The draft's text is what was saved as `next`. */
  const hold = (next: SavedQuery) => {
    know(next);
    changeDraft(draft.id, { query: { id: next.id, revision: next.revision }, title: next.title });
  };

  /** What the server answered holds from now on, with the charts that were saved after it. */
  const settled = async (next: SavedQuery, only?: string): Promise<void> => {
    // Before its charts: should one of them fail, what was saved is not saved a second time.
    if (only === undefined) hold(next);
    // Somebody may have saved another text by then, and with it a revision that the draft does not come from.
    if (await saveCharts(draft, next, titleOf, only)) know(await getQuery(next.id, null));
    void client.invalidateQueries({ queryKey: ['history', next.id] });
    void client.invalidateQueries({ queryKey: ['creations'] });
  };

  const save = useMutation({
    mutationFn: async ({ over, only, text }: { over?: SavedQuery | undefined; only?: string | undefined; text?: string | undefined }) => {
      if (!draft.query) return;
      // What stands in the editor counts, also what it has not told yet.
      const what = textOf(text === undefined ? draft : { ...draft, text });
      const base = over ?? query;
      const unchanged = base !== undefined && (only !== undefined || sameText(what, base.what));
      const next = unchanged ? base : await updateQuery({ id: draft.query.id, revision: over?.revision ?? draft.query.revision, what });
      await settled(next, only);
    },
    onSuccess: () => {
      setConflict(null);
      notify.success(t('editors.save.done'));
    },
    onError: (error) => {
      if (error instanceof ApiError && error.conflict && error.data) setConflict(error.data as SavedQuery);
      else notify.error(messageOf(error));
    },
  });

  // A tab that changed nothing follows what is saved elsewhere.
  const revision = draft.query?.revision ?? 0;
  const newer = query !== undefined && query.revision > revision;
  useEffect(() => {
    if (query !== undefined && newer && !differs) changeDraft(draft.id, { query: { id: query.id, revision: query.revision }, title: query.title });
  }, [newer, query, differs, draft.id]);

  return {
    query,
    editable: draft.viewing === undefined,
    dirty: draft.query === null ? draft.text.trim() !== '' || draft.spec !== null : differs || charts,
    saving: save.isPending,
    outdated: newer && differs,
    conflict,
    save: (over, text) => save.mutate({ over, text }),
    saveChart: (only) => save.mutate({ only }),
    create: async ({ title, notes, tags, visibility, updateStrategy, cron }) => {
      try {
        const made = await createQuery({ title, notes, tags, visibility, updateStrategy, cron, what: textOf(draft) });
        await settled(made);
        notify.success(t('editors.save.done'));
        return made;
      } catch (error) {
        notify.error(messageOf(error));
        return null;
      }
    },
    change: async (details) => {
      if (!draft.query) return false;
      try {
        const base = query?.revision ?? draft.query.revision;
        const next = await updateQuery({ id: draft.query.id, revision: base, ...details });
        know(next);
        // A draft of an older text stays one: its text would else be saved over the newer one unasked.
        const newest = findTab((one) => one.id === draft.id)?.query?.revision === base;
        changeDraft(draft.id, { title: next.title, ...(newest ? { query: { id: next.id, revision: next.revision } } : {}) });
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.conflict && error.data) know(error.data as SavedQuery);
        notify.error(messageOf(error));
        return false;
      }
    },
    take: (next) => {
      setConflict(null);
      take(next);
    },
    settle: () => setConflict(null),
    reload: () => void found.refetch(),
  };
}
