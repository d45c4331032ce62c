/** Looks of the code editor: everything is a design token, so both themes and the scaling rule hold without rebuilding it. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-keyword)' },
  { tag: [tags.standard(tags.name), tags.function(tags.variableName)], color: 'var(--code-function)' },
  { tag: [tags.typeName], color: 'var(--code-function)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.comment], color: 'var(--code-comment)', fontStyle: 'italic' },
]);

const popup = {
  border: '1px solid var(--line2)',
  borderRadius: 'var(--r-pop)',
  backgroundColor: 'var(--surface)',
  color: 'var(--t1)',
  boxShadow: 'var(--e2)',
};

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--t1)', backgroundColor: 'var(--surface)', fontSize: 'var(--fs13)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.54', overflow: 'auto' },
  '.cm-content': { padding: 'var(--s12) 0', caretColor: 'var(--acct)' },
  '.cm-line': { padding: '0 var(--s16) 0 var(--s8)' },
  '.cm-cursor, .cm-dropCursor': { borderLeft: '2px solid var(--acct)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection': { backgroundColor: 'color-mix(in srgb, var(--acc) 24%, transparent)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--t3)', border: 'none', paddingLeft: 'var(--s8)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 var(--s6) 0 var(--s8)', minWidth: '2.4em' },
  '.cm-activeLine': { backgroundColor: 'var(--hover)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--t1)' },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--mark)', color: 'inherit' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--acct)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--ctl)', borderRadius: '2px' },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', color: 'var(--bad)' },
  '.cm-placeholder': { color: 'var(--t3)' },
  '.cm-lintRange-error': { backgroundImage: 'none', backgroundColor: 'var(--bads)', textDecoration: 'underline wavy var(--bad) 1px', textUnderlineOffset: '3px', textDecorationSkipInk: 'none' },
  '.cm-tooltip': { ...popup, zIndex: '50' },
  '.cm-tooltip-lint, .cm-tooltip.cm-tooltip-hover': { maxWidth: 'min(5rem, 90vw)', fontFamily: 'var(--font)', fontSize: 'var(--fs13)' },
  '.cm-diagnostic': { padding: 'var(--s8) var(--s12)', borderLeft: '3px solid var(--bad)', whiteSpace: 'pre-wrap' },
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: 'var(--fs13)', maxHeight: '2.6rem', minWidth: 'min(4.3rem, 88vw)', borderRadius: 'var(--r-pop)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { display: 'flex', alignItems: 'center', gap: 'var(--s12)', padding: 'var(--s4) var(--s12)', lineHeight: '1.5' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accs)', color: 'var(--t1)' },
  '.cm-completionLabel': { flex: '1', overflow: 'hidden', textOverflow: 'ellipsis' },
  '.cm-completionMatchedText': { color: 'var(--acct)', fontWeight: '500', textDecoration: 'none' },
  '.cm-completionDetail': { color: 'var(--t3)', fontFamily: 'var(--font)', fontSize: 'var(--fs12)', fontStyle: 'normal', maxWidth: '55%', overflow: 'hidden', textOverflow: 'ellipsis' },
  '.suggestion-kind': { width: '2.2em', flex: 'none', color: 'var(--t3)', fontFamily: 'var(--font)', fontSize: 'var(--fs12)' },
  '.cm-tooltip.cm-completionInfo': { padding: 'var(--s8) var(--s12)', fontFamily: 'var(--font)', fontSize: 'var(--fs12)', lineHeight: '1.5', color: 'var(--t2)', maxWidth: 'min(4rem, 80vw)', width: 'auto' },
  '.cm-tooltip.cm-completionInfo.below': { top: '100%', left: '0', right: '0', maxWidth: 'none', margin: '2px 0 0' },
  '.description': { padding: 'var(--s8) var(--s12)', lineHeight: '1.5' },
  '.description-title': { fontFamily: 'var(--mono)', fontWeight: '500' },
  '.description-detail': { color: 'var(--t3)', marginLeft: 'var(--s8)', fontSize: 'var(--fs12)' },
  '.description-prose code': { fontFamily: 'var(--mono)', fontSize: '0.95em', color: 'var(--t1)' },
  '.description-example': { display: 'block', marginTop: 'var(--s4)', fontFamily: 'var(--mono)', fontSize: 'var(--fs12)', color: 'var(--t2)' },
  '.cm-panels': { backgroundColor: 'var(--bg)', color: 'var(--t1)', fontFamily: 'var(--font)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { padding: 'var(--s8)', fontSize: 'var(--fs13)' },
  '.cm-textfield': { border: '1px solid var(--ctl)', borderRadius: 'var(--r-tag)', backgroundColor: 'var(--surface)', fontSize: 'inherit' },
  '.cm-button': { border: '1px solid var(--line2)', borderRadius: 'var(--r-tag)', backgroundColor: 'var(--surface)', backgroundImage: 'none', color: 'inherit', fontSize: 'inherit' },
});

export const looks = [theme, syntaxHighlighting(highlight)];
