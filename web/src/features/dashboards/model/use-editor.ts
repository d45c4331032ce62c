// The document under the editor's hands: its history, and saving it by itself or by hand.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { ApiError, messageOf } from '@/api/error';
import { readStored, writeStored } from '@/lib/storage';
import { createDashboard, dashboardKey, fetchDashboard, saveDashboard, type DashboardView, type Target } from '../api';
import { contentOf, documentOf, sameDocument, type Document } from './document';
import { forgetDraft, keepDraft, readDraft } from './drafts';
import { changed, redo, startHistory, undo, type History } from './history';
import { saving, startSaving, type SaveEvent, type SaveState } from './save-state';

const autosaveKey = 'quarry.autosave';
const pauseMs = 1_000;
const retryMs = 5_000;

type State = SaveState<Document, DashboardView>;
type Event = SaveEvent<Document, DashboardView>;

export interface Editor {
  readonly document: Document;
  readonly save: State;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Changes that a reload or a crash left on this device were taken up again. */
  readonly restored: boolean;
  readonly autosave: boolean;
  /** Changes the document; `about` names what changed, so that typing is one step of undo. */
  readonly change: (make: (document: Document) => Document, about: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly saveNow: () => void;
  readonly setAutosave: (on: boolean) => void;
  /** Answers a conflict; a copy answers with its id. */
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
  readonly makeCopy: (title: string) => Promise<string>;
  /** The server's state takes the place of what is here, such as after a version was restored. */
  readonly replace: (view: DashboardView) => void;
}

interface Start {
  history: History<Document>;
  save: State;
  restored: boolean;
}

/** The draft of this device over the server's state; made on an older state it is a conflict. */
function startFrom(view: DashboardView): Start {
  const server = documentOf(view);
  const draft = readDraft(view.id);
  const save = startSaving<Document, DashboardView>(server, view.revision);
  if (!draft || sameDocument(draft.document, server)) return { history: startHistory(server), save, restored: false };
  const history = changed(startHistory(server), draft.document, 'draft', 0);
  const event: Event = draft.revision === view.revision ? { type: 'changed', document: draft.document } : { type: 'conflict', theirs: view };
  return { history, save: saving({ ...save, revision: draft.revision }, event, sameDocument), restored: true };
}

const reduce = (state: State, event: Event): State => saving(state, event, sameDocument);

export function useEditor(view: DashboardView, target: Target): Editor {
  const client = useQueryClient();
  const { id } = view;
  const [start] = useState(() => startFrom(view));
  const [history, setHistory] = useState(start.history);
  const [save, dispatch] = useReducer(reduce, start.save);
  const [autosave, setStoredAutosave] = useState(() => readStored(autosaveKey) !== 'off');
  const document = history.now;
  const latest = useRef(document);
  useEffect(() => {
    latest.current = document;
    dispatch({ type: 'changed', document });
  }, [document]);

  const { phase, revision } = save;
  // What is not on the server is on this device.
  useEffect(() => {
    if (phase === 'saved') forgetDraft(id);
    else keepDraft(id, { revision, document });
  }, [id, phase, revision, document]);

  /** What was saved is newer than an answer that is still on its way. */
  const know = useCallback(
    (next: DashboardView) => {
      void client.cancelQueries({ queryKey: dashboardKey(target), exact: true });
      client.setQueryData(dashboardKey(target), next);
    },
    [client, target],
  );

  /** A save is on its way; one that is asked for meanwhile waits for its answer, which brings the revision to save on. */
  const inFlight = useRef(false);
  const wanted = useRef(false);
  /** The editor is gone, and with it the state that says what is still to be done after an answer. */
  const left = useRef(false);
  const savesItself = useRef(autosave);
  useEffect(() => {
    savesItself.current = autosave;
  }, [autosave]);
  const send = useCallback(
    async (byItself: boolean) => {
      if (inFlight.current) {
        wanted.current ||= !byItself;
        return;
      }
      inFlight.current = true;
      let on = revision;
      let rest = false;
      try {
        do {
          const sent = latest.current;
          dispatch({ type: 'sent', document: sent });
          const answer = await saveDashboard({ id, revision: on, autosave: byItself, title: sent.title, notes: sent.notes, tags: [...sent.tags], content: contentOf(sent) });
          on = answer.revision;
          rest = !sameDocument(latest.current, sent);
          if (left.current) {
            if (rest) keepDraft(id, { revision: on, document: latest.current });
            else forgetDraft(id);
          }
          know(answer);
          dispatch({ type: 'done', revision: on, at: Date.now(), document: latest.current });
        } while (rest && left.current && savesItself.current);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'conflict') {
          const theirs = await fetchDashboard(target).catch(() => null);
          dispatch(theirs ? { type: 'conflict', theirs } : { type: 'offline' });
        } else if (error instanceof ApiError && (error.code === 'network' || error.expired)) dispatch({ type: 'offline' });
        else dispatch({ type: 'failed', message: messageOf(error) });
      } finally {
        inFlight.current = false;
      }
    },
    [id, revision, target, know],
  );
  useEffect(() => {
    if (phase === 'saving' || !wanted.current) return;
    wanted.current = false;
    if (phase === 'waiting') void send(false);
  }, [phase, send]);

  // A moment after the last change; and again and again while the server can't be reached, or the person has to log in anew.
  useEffect(() => {
    if (!autosave || (phase !== 'waiting' && phase !== 'offline')) return;
    const timer = setTimeout(() => void send(true), phase === 'waiting' ? pauseMs : retryMs);
    const online = () => void send(true);
    if (phase === 'offline') addEventListener('online', online);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', online);
    };
  }, [autosave, phase, document, send]);

  // Leaving the editor does not wait for the moment.
  const leave = useRef<(() => void) | null>(null);
  useEffect(() => {
    leave.current = autosave && phase === 'waiting' ? () => void send(true) : null;
  }, [autosave, phase, send]);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
      leave.current?.();
    };
  }, []);

  const asks = !autosave && phase !== 'saved';
  useEffect(() => {
    if (!asks) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [asks]);

  const { theirs } = save;
  const replace = useCallback(
    (next: DashboardView) => {
      const replaced = documentOf(next);
      latest.current = replaced;
      dispatch({ type: 'replaced', document: replaced, revision: next.revision });
      setHistory((now) => changed(now, replaced, 'replaced', Date.now()));
      know(next);
    },
    [know],
  );

  return useMemo(
    () => ({
      document,
      save,
      restored: start.restored,
      autosave,
      canUndo: history.past.length > 0,
      canRedo: history.future.length > 0,
      change: (make: (document: Document) => Document, about: string) => setHistory((now) => changed(now, make(now.now), about, Date.now())),
      undo: () => setHistory(undo),
      redo: () => setHistory(redo),
      saveNow: () => void send(false),
      setAutosave: (on: boolean) => {
        writeStored(autosaveKey, on ? null : 'off');
        setStoredAutosave(on);
      },
      keepMine: () => {
        if (theirs) dispatch({ type: 'mine', revision: theirs.revision });
      },
      takeTheirs: () => {
        if (theirs) replace(theirs);
      },
      makeCopy: async (title: string) => {
        const copy = await createDashboard({ title, notes: document.notes, tags: [...document.tags], content: contentOf(document) });
        forgetDraft(id);
        if (theirs) replace(theirs);
        return copy.id;
      },
      replace,
    }),
    [document, save, start.restored, autosave, history, send, theirs, replace, id],
  );
}
