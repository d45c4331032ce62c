/** Two texts side by side with what differs marked; under a narrow window one above the other in one column. */
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { grammarOf } from './grammar';
import type { EditorLanguage } from './language';
import { looks } from './theme';
import './editor.css';

interface DiffProps {
  before: string;
  after: string;
  language: EditorLanguage;
  /** What the two sides are called, for who can't see them. */
  labels: readonly [string, string];
  /** Too little room for two columns. */
  narrow: boolean;
}

export function Diff({ before, after, language, labels: [left, right], narrow }: DiffProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    let view: MergeView | EditorView | null = null;
    let gone = false;
    const side = (grammar: Extension, label: string): Extension => [grammar, looks, lineNumbers(), EditorView.lineWrapping, EditorState.readOnly.of(true), EditorView.editable.of(false), EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', role: 'textbox', 'aria-multiline': 'true', 'aria-readonly': 'true' })];
    void grammarOf(language).then((grammar) => {
      if (gone) return;
      view = narrow
        ? new EditorView({ parent, state: EditorState.create({ doc: after, extensions: [side(grammar, right), unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3 } })] }) })
        : new MergeView({ parent, a: { doc: before, extensions: side(grammar, left) }, b: { doc: after, extensions: side(grammar, right) }, collapseUnchanged: { margin: 3 }, gutter: true });
    });
    return () => {
      gone = true;
      view?.destroy();
    };
  }, [before, after, language, left, right, narrow]);
  return <div ref={host} className="code-diff" />;
}
