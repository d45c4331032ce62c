// The scaling rule: 1rem is 100 design pixels on a page 1920 wide, and shrinks with the page down to 1200.
import { createStore, useStore } from './store';

/** The factor of a page `width` CSS pixels wide. Under 1200 the layout changes instead, so text stays readable. */
export function scaleFor(width: number): number {
  return width < 1200 ? 1 : Math.min(1, width / 1920);
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
