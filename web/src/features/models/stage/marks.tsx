// The words over the picture: they follow their places past React, with every frame, and give way to each other.
import { useEffect, useRef } from 'react';
import type { Mark } from '../layout/place';
import type { Stage } from './stage';
import css from './view.module.css';

interface Props {
  stage: Stage | null;
  marks: readonly Mark[];
  visible: Uint8Array;
  /** Calls the function after each frame, until it is taken back. */
  whenDrawn: (follow: () => void) => () => void;
}

export function Marks({ stage, marks, visible, whenDrawn }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!stage || !element) return;
    const words = [...element.children].map((child) => ({ child: child as HTMLElement, width: (child as HTMLElement).offsetWidth, height: (child as HTMLElement).offsetHeight }));
    const follow = () => {
      const taken: [number, number, number, number][] = [];
      for (const [index, mark] of marks.entries()) {
        const word = words[index];
        if (!word) continue;
        const spot = mark.node >= 0 && visible[mark.node] !== 1 ? null : stage.locate(mark.at);
        const left = (spot?.[0] ?? 0) - word.width / 2;
        const top = (spot?.[1] ?? 0) - (mark.node >= 0 ? word.height + 4 : 0);
        const free = spot !== null && !taken.some(([x, y, w, h]) => left < x + w && x < left + word.width && top < y + h && y < top + word.height);
        word.child.style.visibility = free ? 'visible' : 'hidden';
        if (!free) continue;
        taken.push([left - 4, top - 2, word.width + 8, word.height + 4]);
        word.child.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
      }
    };
    follow();
    return whenDrawn(follow);
  }, [stage, marks, visible, whenDrawn]);
  return (
    <div ref={box} className={css.marks} aria-hidden>
      {marks.map((mark, index) => (
        <span key={index} data-name={mark.node >= 0}>
          {mark.text}
        </span>
      ))}
    </div>
  );
}
