// The words over the picture: they follow their places past React, with every frame, and give way to each other.
import { useEffect, useRef } from 'react';
import type { Mark } from '../layout/place';
import type { Stage } from './stage';
import { arranged } from './words';
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
      const places = arranged(
        words.map(({ width, height }, index) => {
          const mark = marks[index];
          const shown = mark !== undefined && (mark.node < 0 || visible[mark.node] === 1);
          return { spot: shown ? stage.locate(mark.at) : null, width, height, above: shown && mark.node >= 0 };
        }),
        element.clientWidth,
      );
      for (const [index, { child }] of words.entries()) {
        const place = places[index];
        child.style.visibility = place ? 'visible' : 'hidden';
        if (place) child.style.transform = `translate(${place[0].toFixed(1)}px, ${place[1].toFixed(1)}px)`;
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
