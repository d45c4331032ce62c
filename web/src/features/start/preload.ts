// Fetches the code of the pages that most people open next. The app says which, because features do not know each other.

type Preload = () => Promise<unknown>;
let pages: Preload[] = [];

export function setPreload(next: Preload[]): void {
  pages = next;
}

/** Ends when all are there or could not be had: opening such a page then says what is wrong. */
export async function preloadPages(): Promise<void> {
  await Promise.allSettled(pages.map((load) => load()));
}
