// Saving by itself, as a machine: what is on the server, what is not yet, what is on its way, and what went wrong.

/** `saved`: nothing to do. `waiting`: changed, to be saved soon or by hand. `conflict`: somebody else saved in between. */
export type SavePhase = 'saved' | 'waiting' | 'saving' | 'offline' | 'failed' | 'conflict';

export interface SaveState<T, S> {
  readonly phase: SavePhase;
  /** The revision that the next change is made on. */
  readonly revision: number;
  /** The document as the server has it. */
  readonly kept: T;
  /** The document that is on its way. */
  readonly sent: T | null;
  /** When the server last took something, in milliseconds since 1970; 0 before. */
  readonly savedAt: number;
  /** What the server has now, where it is newer than what was changed here. */
  readonly theirs: S | null;
  readonly message: string;
}

export type SaveEvent<T, S> =
  | { readonly type: 'changed'; readonly document: T }
  | { readonly type: 'sent'; readonly document: T }
  | { readonly type: 'done'; readonly revision: number; readonly at: number; readonly document: T }
  | { readonly type: 'offline' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'conflict'; readonly theirs: S }
  | { readonly type: 'mine'; readonly revision: number }
  | { readonly type: 'replaced'; readonly document: T; readonly revision: number };

export function startSaving<T, S>(kept: T, revision: number): SaveState<T, S> {
  return { phase: 'saved', revision, kept, sent: null, savedAt: 0, theirs: null, message: '' };
}

/** The next state; `same` says whether two documents are equal. */
export function saving<T, S>(state: SaveState<T, S>, event: SaveEvent<T, S>, same: (a: T, b: T) => boolean): SaveState<T, S> {
  switch (event.type) {
    case 'changed': {
      // A conflict is answered first; what is on its way has its own end.
      if (state.phase === 'conflict' || state.phase === 'saving') return state;
      return { ...state, phase: same(event.document, state.kept) ? 'saved' : 'waiting', message: '' };
    }
    case 'sent':
      return { ...state, phase: 'saving', sent: event.document, message: '' };
    case 'done': {
      const kept = state.sent ?? state.kept;
      // What was changed while the last state was on its way is still to be saved.
      const phase = same(event.document, kept) ? 'saved' : 'waiting';
      return { ...state, phase, kept, sent: null, revision: event.revision, savedAt: event.at };
    }
    case 'offline':
      return { ...state, phase: 'offline', sent: null };
    case 'failed':
      return { ...state, phase: 'failed', sent: null, message: event.message };
    case 'conflict':
      return { ...state, phase: 'conflict', sent: null, theirs: event.theirs };
    case 'mine':
      return { ...state, phase: 'waiting', revision: event.revision, theirs: null };
    case 'replaced':
      return { ...state, phase: 'saved', kept: event.document, sent: null, revision: event.revision, theirs: null, message: '' };
  }
}

/** Whether something here is not on the server yet. */
export const isUnsaved = (phase: SavePhase): boolean => phase !== 'saved';
