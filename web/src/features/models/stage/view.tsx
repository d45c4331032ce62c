// The element the graph is drawn on: pointer, keyboard, the name under the pointer. The drawing code loads with it.
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { inTime } from '@/lib/loading';
import { hasWebgl } from '@/lib/webgl';
import { Marks } from './marks';
import type { Scene, Stage } from './stage';
import css from './view.module.css';

interface Props {
  scene: Scene;
  visible: Uint8Array;
  /** -1 for none. */
  selected: number;
  spinning: boolean;
  label: string;
  nameOf: (node: number) => string;
  onSelect: (node: number) => void;
  onStage: (stage: Stage | null) => void;
  onSpin: (on: boolean) => void;
  onPlay: () => void;
}

interface Hover {
  node: number;
  x: number;
  y: number;
  /** How wide the stage is. */
  width: number;
}

/** Towards the middle, where there is room for the whole name. */
const tipPlace = ({ x, y, width }: Hover) => ({ top: y + 10, ...(x > width / 2 ? { right: width - x + 14 } : { left: x + 14 }) });

async function makeStage(element: HTMLElement, onFrame: (ms: number) => void): Promise<Stage> {
  if (hasWebgl()) return (await inTime(() => import('./space'))).spaceStage(element, onFrame);
  return (await inTime(() => import('./flat'))).flatStage(element, onFrame);
}

export function StageView({ scene, visible, selected, spinning, label, nameOf, onSelect, onStage, onSpin, onPlay }: Props) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const rate = useRef<HTMLSpanElement>(null);
  const followers = useRef(new Set<() => void>());
  const whenDrawn = useCallback((follow: () => void) => {
    const { current } = followers;
    current.add(follow);
    return () => {
      current.delete(follow);
    };
  }, []);
  const pressed = useRef<readonly [number, number]>([0, 0]);
  const [stage, setStage] = useState<Stage | null>(null);
  const [failed, setFailed] = useState<Error | null>(null);
  const [hover, setHover] = useState<Hover | null>(null);

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let made: Stage | null = null;
    let left = false;
    const onFrame = (ms: number) => {
      for (const follow of followers.current) follow();
      // Written past React: it changes with every frame.
      if (rate.current && ms > 0 && ms < 2000) rate.current.textContent = String(Math.round(1000 / ms));
    };
    makeStage(element, onFrame).then(
      (next) => {
        if (left) {
          next.dispose();
          return;
        }
        made = next;
        setStage(next);
        onStage(next);
      },
      (error: unknown) => !left && setFailed(error instanceof Error ? error : new Error(String(error))),
    );
    return () => {
      left = true;
      made?.dispose();
      onStage(null);
    };
  }, [onStage]);

  useEffect(() => stage?.draw(scene), [stage, scene]);
  useEffect(() => stage?.show(visible), [stage, scene, visible]);
  useEffect(() => stage?.select(selected), [stage, selected]);
  useEffect(() => stage?.spin(spinning), [stage, spinning]);

  const under = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Hover => {
    const box = currentTarget.getBoundingClientRect();
    const x = clientX - box.left;
    const y = clientY - box.top;
    return { node: stage?.pick(x, y) ?? -1, x, y, width: box.width };
  };
  const onMove = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons !== 0) return;
    const next = under(event);
    setHover(next.node < 0 ? null : next);
  };
  const onUp = (event: PointerEvent<HTMLElement>) => {
    // A drag turns the picture and selects nothing.
    if (Math.hypot(event.clientX - pressed.current[0], event.clientY - pressed.current[1]) > 4) return;
    onSelect(under(event).node);
  };
  const onKey = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => stage?.rotate(-0.12, 0),
      ArrowRight: () => stage?.rotate(0.12, 0),
      ArrowUp: () => stage?.rotate(0, 0.12),
      ArrowDown: () => stage?.rotate(0, -0.12),
      '+': () => stage?.zoom(1.2),
      '=': () => stage?.zoom(1.2),
      '-': () => stage?.zoom(1 / 1.2),
      f: () => stage?.fit(),
      '0': () => stage?.reset(),
      r: () => onSpin(!spinning),
      ' ': onPlay,
      n: () => onSelect(next(visible, selected, 1)),
      p: () => onSelect(next(visible, selected, -1)),
      Escape: () => onSelect(-1),
    };
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };

  // The part around it tells so, and begins anew.
  if (failed !== null) throw failed;
  return (
    <>
      {/* The picture takes keys like a map: arrows turn it, letters walk through the nodes. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div ref={place} className={css.stage} data-hover={hover !== null} data-ready={stage !== null} role="application" aria-label={`${label} ${t('models.keys')}`}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onKeyDown={onKey}
        onPointerDown={({ clientX, clientY }) => {
          pressed.current = [clientX, clientY];
        }}
        onPointerMove={onMove}
        onPointerLeave={() => setHover(null)}
        onPointerUp={onUp}
      />
      <Marks stage={stage} marks={scene.marks} visible={visible} whenDrawn={whenDrawn} />
      {hover && (
        <div className={css.tip} style={tipPlace(hover)} aria-hidden>
          {nameOf(hover.node)}
        </div>
      )}
      <p className={css.rate} aria-hidden>
        <span ref={rate} /> {t('models.perSecond')}
      </p>
    </>
  );
}

/** The next node that is shown, around the end. */
function next(visible: Uint8Array, from: number, step: 1 | -1): number {
  const count = visible.length;
  for (let tried = 1; tried <= count; tried++) {
    const node = (((from < 0 && step < 0 ? 0 : from) + step * tried) % count + count) % count;
    if (visible[node] === 1) return node;
  }
  return -1;
}
