/** Pixels a canvas may have, as PDF.js bounds them: of a large sheet at a large scale more take a phone's memory, or are not drawn at all. */
const most = 2 ** 25;

/** Dots of the canvas for each pixel of the page, at most two. */
export const densityOf = (width: number, height: number, ratio: number): number => Math.min(ratio, 2, Math.sqrt(most / Math.max(1, width * height)));
