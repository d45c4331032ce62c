// A board as a picture or a PDF. The code for it loads when somebody asks for one.
import { saveFile } from '@/lib/save-file';

/** Longest side of a picture in pixels, beyond which browsers draw nothing. */
const LONGEST = 16_000;
const margin = 24;

const isShown = (node: HTMLElement): boolean => !(node instanceof Element) || node.getAttribute('data-export') !== 'no';

async function picture(board: HTMLElement): Promise<{ address: string; width: number; height: number }> {
  const { toPng } = await import('html-to-image');
  const width = board.scrollWidth;
  const height = board.scrollHeight;
  const style = getComputedStyle(document.documentElement);
  const pixelRatio = Math.min(2, LONGEST / Math.max(width, height));
  const address = await toPng(board, { pixelRatio, backgroundColor: style.getPropertyValue('--canvas').trim(), filter: isShown, width, height });
  return { address, width, height };
}

export async function savePng(board: HTMLElement, title: string): Promise<void> {
  saveFile(`${title}.png`, (await picture(board)).address);
}

/** One page as large as the board, so that nothing is cut in two. */
export async function savePdf(board: HTMLElement, title: string): Promise<void> {
  const [{ address, width, height }, { jsPDF }] = await Promise.all([picture(board), import('jspdf')]);
  const size: [number, number] = [width + 2 * margin, height + 2 * margin];
  const document = new jsPDF({ orientation: size[0] > size[1] ? 'landscape' : 'portrait', unit: 'px', format: size, hotfixes: ['px_scaling'], compress: true });
  document.setProperties({ title, creator: 'Quarry' });
  document.addImage(address, 'PNG', margin, margin, width, height);
  saveFile(`${title}.pdf`, document.output('blob'));
}
