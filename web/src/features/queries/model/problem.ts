/** Where in the editor's text an error is: the server counts lines and characters of what was run, which may have been a selection. */
import type { TextPosition } from '@/api/jobs';

export interface PlacedProblem {
  /** Offsets in the editor's text at the time of the run. */
  readonly from: number;
  readonly to: number;
  /** Line in the editor, counted from 1. */
  readonly line: number;
  /** The whole line, and where in it the wrong part is. */
  readonly lineText: string;
  readonly start: number;
  readonly end: number;
}

const WORD = /^(?:"(?:[^"]|"")*"|`[^`]*`|'(?:[^']|'')*'|[\p{L}\p{N}_$]+|\S)/u;

/** `fullText` is the editor's text at the run, `ranText` the part that was sent, `offset` where it began. */
export function placeProblem(position: TextPosition | null, fullText: string, ranText: string, offset: number): PlacedProblem | null {
  if (!position) return null;
  const lines = ranText.split('\n');
  const at = Math.min(Math.max(position.line, 1), lines.length) - 1;
  const before = lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0);
  const line = lines[at] ?? '';
  // Columns are characters (code points); offsets in the editor are UTF-16 units.
  const column = Array.from(line).slice(0, Math.max(position.column, 1) - 1).join('').length;
  let from = offset + Math.min(before + column, ranText.length);
  let length = WORD.exec(ranText.slice(from - offset))?.[0].length ?? 0;
  if (length === 0) {
    // Past the end, or on a space: the last thing written is what lacks something.
    const end = fullText.slice(0, from).trimEnd().length;
    length = end > 0 ? 1 : 0;
    from = Math.max(0, end - length);
  }
  const lineStart = fullText.lastIndexOf('\n', from - 1) + 1;
  const lineEnd = fullText.indexOf('\n', from);
  const lineText = fullText.slice(lineStart, lineEnd < 0 ? fullText.length : lineEnd);
  return { from, to: from + length, line: fullText.slice(0, from).split('\n').length, lineText, start: from - lineStart, end: Math.min(from - lineStart + length, lineText.length) };
}

/** The name the message suggests in place of the wrong one. */
export function suggestionIn(message: string): string | null {
  const match = /\bdid you mean\s+["'`]?([\p{L}_][\p{L}\p{N}_.$]*)/iu.exec(message);
  return match?.[1]?.replace(/\.$/, '') ?? null;
}
