// The scaling rule: 1rem is 100 design pixels on a page 1920 wide, and shrinks with the page down to the layout of phones.
import { createStore, useStore } from './store';

/** Width in CSS pixels under which the layout is that of phones, as in the styles. */
const phone = 768;

/** The factor of a page `width` CSS pixels wide. Phones have a layout of their own in design pixels. */
export function scaleFor(width: number): number {
  return width < phone ? 1 : Math.min(1, width / 1920);
}

/** The factor in steps of 0.05, for parts that are costly to size anew (antd's theme, charts). */
export function steppedScale(scale: number): number {
  return Math.round(scale * 20) / 20;
}

const scale = createStore(1);

/** Sizes the root font now and whenever the window changes. Call once. */
export function startScaling(): void {
  const apply = () => {
    const factor = scaleFor(document.documentElement.clientWidth);
    // A percentage, so that the reader's own font size setting still counts.
    document.documentElement.style.fontSize = `${625 * factor}%`;
    scale.set(steppedScale(factor));
  };
  addEventListener('resize', apply);
  apply();
}

export function useScale(): number {
  return useStore(scale);
}
