// Code that is loaded when it is first shown, and how it fails.

export class LoadTimeout extends Error {
  override name = 'LoadTimeout';
}

const timeoutMs = 120_000;

/** Loads code, and gives up after two minutes: a connection that hangs would be waited for without end. */
export async function inTime<T>(load: () => Promise<T>): Promise<T> {
  // Begun first: what gives up inside of it does so before this.
  const loaded = load();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LoadTimeout('The code did not load in time.')), timeoutMs);
  });
  return Promise.race([loaded, late]).finally(() => clearTimeout(timer));
}

/** Code of a part of the page is not there. */
export class NotLoaded extends Error {
  override name = 'NotLoaded';

  /** `forget` lets the code be asked for again: until then its failure is remembered. */
  constructor(
    cause: unknown,
    readonly forget: () => void = () => undefined,
  ) {
    super('The code of a part of the page could not be loaded.', { cause });
  }
}

/** Whether an error says that code is not there: the connection failed, or a newer version replaced it. */
export function isLoadFailure(error: unknown): boolean {
  if (error instanceof LoadTimeout || error instanceof NotLoaded) return true;
  return error instanceof Error && /dynamically imported module|importing a module script|unable to preload css/i.test(error.message);
}

/** Asks again for styles that did not come: the bundler has them for loaded once it has tried, and the part would stand there without. */
export async function loadStylesAgain(): Promise<void> {
  const failed = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(({ sheet }) => sheet === null);
  await Promise.all(
    failed.map(
      (link) =>
        new Promise((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement;
          again.addEventListener('load', resolve);
          again.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${link.href}`)));
          link.replaceWith(again);
        }),
    ),
  );
}
