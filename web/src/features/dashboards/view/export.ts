// A board as a picture or a PDF. The code for it loads when somebody asks for one.
import { inTime } from '@/lib/loading';
import { pictured } from '@/lib/paper';
import { saveFile } from '@/lib/save-file';
import { usedStyles } from './used-styles';

/** Longest side of a picture in pixels, beyond which browsers draw nothing. */
const LONGEST = 16_000;
/** Pixels around the board. */
const MARGIN = 24;

const isShown = (node: HTMLElement): boolean => !(node instanceof Element) || node.getAttribute('data-export') !== 'no';

async function picture(board: HTMLElement, format: 'toPng' | 'toJpeg'): Promise<{ address: string; width: number; height: number }> {
  const { [format]: draw } = await inTime(() => import('html-to-image'));
  return pictured(board, async () => {
    const [width, height] = [board.scrollWidth + 2 * MARGIN, board.scrollHeight + 2 * MARGIN];
    const style = { padding: `${MARGIN}px`, boxSizing: 'border-box' };
    const backgroundColor = getComputedStyle(document.documentElement).getPropertyValue('--canvas').trim();
    const pixelRatio = Math.min(2, LONGEST / Math.max(width, height));
    return { address: await draw(board, { pixelRatio, quality: 0.95, backgroundColor, filter: isShown, width, height, style, includeStyleProperties: usedStyles(board) }), width, height };
  });
}

export async function savePng(board: HTMLElement, title: string): Promise<void> {
  saveFile(`${title}.png`, (await picture(board, 'toPng')).address);
}

/**
 * One page as large as the board, so that nothing is cut in two. A JPEG goes into it as it is; a PNG would be taken apart and
 * packed again, for up to a minute where tables are long.
 */
export async function savePdf(board: HTMLElement, title: string): Promise<void> {
  const [{ address, width, height }, { jsPDF }] = await Promise.all([picture(board, 'toJpeg'), inTime(() => import('jspdf'))]);
  const document = new jsPDF({ orientation: width > height ? 'landscape' : 'portrait', unit: 'px', format: [width, height], hotfixes: ['px_scaling'], compress: true });
  document.setProperties({ title, creator: 'Quarry' });
  document.addImage(address, 'JPEG', 0, 0, width, height);
  saveFile(`${title}.pdf`, document.output('blob'));
}
