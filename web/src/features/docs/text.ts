// A page of the manuals as it is drawn. It is read from its Markdown when the pages are built (`read-text.ts`): readers load
// neither what reads Markdown nor wait for it.

/** What stands in a line, or in a paragraph, list or table of the text; a string is just its words. */
export type Part =
  | string
  | { readonly is: 'paragraph' | 'strong' | 'em' | 'blockquote'; readonly parts: readonly Part[] }
  | { readonly is: 'code'; readonly text: string }
  | { readonly is: 'break' }
  | { readonly is: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Part[])[] }
  | { readonly is: 'table'; readonly head: readonly (readonly Part[])[]; readonly rows: readonly (readonly (readonly Part[])[])[] }
  | { readonly is: 'link'; readonly to: string; readonly parts: readonly Part[] }
  | { readonly is: 'image'; readonly file: string; readonly text: string };

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly run: boolean; readonly text: string }
  | { readonly kind: 'live'; readonly name: string; readonly args: readonly string[]; readonly text: string }
  | { readonly kind: 'prose'; readonly parts: readonly Part[] };

export interface DocText {
  readonly title: string;
  /** The sentence below the title. */
  readonly lead: string;
  /** `YYYY-MM-DD` of the last change. */
  readonly date: string;
  readonly blocks: readonly Block[];
}

/** The words alone, for the search and for names that are read aloud. */
export function wordsIn(parts: readonly Part[]): string {
  return parts.map(wordsOfPart).join('');
}

function wordsOfPart(part: Part): string {
  if (typeof part === 'string') return part;
  switch (part.is) {
    case 'code':
    case 'image':
      return part.text;
    case 'break':
      return ' ';
    case 'list':
      return `${part.items.map(wordsIn).join(' ')} `;
    case 'table':
      return `${[part.head, ...part.rows].map((cells) => cells.map(wordsIn).join(' ')).join(' ')} `;
    case 'paragraph':
    case 'blockquote':
      return `${wordsIn(part.parts)} `;
    default:
      return wordsIn(part.parts);
  }
}
