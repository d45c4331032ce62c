// PDF.js with everything it may ask for beside the file: its worker, the maps of CJK encodings and the standard fonts. All of
// it comes from this server, each file only when a paper needs it.
import { getDocument, GlobalWorkerOptions, InvalidPDFException, TextLayer, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { densityOf } from './density';
import worker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

GlobalWorkerOptions.workerSrc = worker;

// Files by name; `no-inline`, because the page may not fetch data addresses.
const addresses = new Map(
  Object.entries(import.meta.glob<string>(['/node_modules/pdfjs-dist/cmaps/*.bcmap', '/node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}'], { query: '?url&no-inline', import: 'default', eager: true })).map(([path, address]) => [path.slice(path.lastIndexOf('/') + 1), address]),
);

/** Fetches what PDF.js asks for by its name. */
class Files {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const address = addresses.get(filename);
    const response = address === undefined ? undefined : await fetch(address);
    if (!response?.ok) throw new Error(`There is no ${filename} for this PDF file.`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

/** Why a file cannot be shown, as a key of the texts; null for what has no such name. */
export function reasonOf(error: unknown): 'locked' | 'broken' | null {
  // PDF.js keeps this class to itself.
  if (error instanceof Error && error.name === 'PasswordException') return 'locked';
  return error instanceof InvalidPDFException ? 'broken' : null;
}

export interface Sheet {
  readonly page: PDFPageProxy;
  /** In points. */
  readonly width: number;
  readonly height: number;
}

export interface Pdf {
  readonly sheets: readonly Sheet[];
  close: () => Promise<void>;
}

/** Opens a file. Rejects with what `reasonOf` explains. */
export async function openPdf(file: Blob): Promise<Pdf> {
  const task = getDocument({ data: await file.arrayBuffer(), BinaryDataFactory: Files, useWorkerFetch: false, useWasm: false, enableXfa: false });
  try {
    return { sheets: await sheetsOf(await task.promise), close: () => task.destroy() };
  } catch (error) {
    await task.destroy();
    throw error;
  }
}

const sheetsOf = (pdf: PDFDocumentProxy): Promise<Sheet[]> =>
  Promise.all(
    Array.from({ length: pdf.numPages }, async (_, at) => {
      const page = await pdf.getPage(at + 1);
      const { width, height } = page.getViewport({ scale: 1 });
      return { page, width, height };
    }),
  );

/** Draws a page and lays its text over it, for selecting and for readers of the screen. The answered function stops and clears. */
export function drawSheet({ page }: Sheet, scale: number, canvas: HTMLCanvasElement, text: HTMLElement, onError: (error: unknown) => void): () => void {
  const viewport = page.getViewport({ scale });
  const dense = densityOf(viewport.width, viewport.height, devicePixelRatio);
  canvas.width = Math.floor(viewport.width * dense);
  canvas.height = Math.floor(viewport.height * dense);
  const drawing = page.render({ canvas, viewport, ...(dense === 1 ? {} : { transform: [dense, 0, 0, dense, 0, 0] }) });
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport });
  let over = false;
  Promise.all([drawing.promise, layer.render()]).catch((error: unknown) => {
    if (!over) onError(error);
  });
  return () => {
    over = true;
    drawing.cancel();
    layer.cancel();
    text.replaceChildren();
    // An empty canvas gives its memory back.
    canvas.width = canvas.height = 0;
  };
}
