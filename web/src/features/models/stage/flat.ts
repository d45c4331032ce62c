/** The graph on a plain canvas, for browsers without WebGL: seen from the front, moved and zoomed. */
import { nearest, tellDrawn, type Scene, type Stage } from './stage';

export function flatStage(element: HTMLElement, onFrame: (ms: number) => void): Stage {
  const canvas = document.createElement('canvas');
  element.append(canvas);
  const pen = canvas.getContext('2d');
  let scene: Scene | null = null;
  let visible = new Uint8Array();
  let selected = -1;
  let scale = 1;
  let left = 0;
  let top = 0;
  let frame = 0;
  let started = 0;

  const project = (node: number): readonly [number, number] | null =>
    visible[node] === 1 ? [left + scale * (scene?.positions[3 * node] ?? 0), top - scale * (scene?.positions[3 * node + 1] ?? 0)] : null;
  const radius = (node: number) => Math.max(1.5, scale * (scene?.radii[node] ?? 1));

  const paint = () => {
    frame = 0;
    if (!scene || !pen) return;
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    pen.clearRect(0, 0, element.clientWidth, element.clientHeight);
    for (let at = 0; at < scene.links.length; at += 2) {
      const source = scene.links[at] ?? 0;
      const target = scene.links[at + 1] ?? 0;
      const from = project(source);
      const to = project(target);
      if (!from || !to) continue;
      const bright = source === selected || target === selected;
      pen.globalAlpha = bright ? 0.9 : scene.links.length > 3000 ? 0.15 : 0.3;
      pen.strokeStyle = bright ? scene.ink : (scene.palette[scene.colours[source] ?? 0] ?? scene.line);
      pen.beginPath();
      pen.moveTo(...from);
      pen.lineTo(...to);
      pen.stroke();
    }
    pen.globalAlpha = 1;
    for (let node = 0; node < visible.length; node++) {
      const place = project(node);
      if (!place) continue;
      pen.fillStyle = scene.palette[scene.colours[node] ?? 0] ?? scene.line;
      const size = radius(node);
      pen.beginPath();
      if (scene.boxes?.[node] === 1) pen.rect(place[0] - size, place[1] - size / 2, 2 * size, size);
      else pen.arc(...place, size, 0, 2 * Math.PI);
      pen.fill();
      if (node !== selected) continue;
      pen.strokeStyle = scene.ink;
      pen.beginPath();
      pen.arc(...place, radius(node) + 3, 0, 2 * Math.PI);
      pen.stroke();
    }
    onFrame(performance.now() - started);
  };
  const again = () => {
    started = performance.now();
    frame ||= requestAnimationFrame(paint);
  };

  const fit = () => {
    let [low, high, bottom, up] = [Infinity, -Infinity, Infinity, -Infinity];
    const positions = scene?.positions ?? new Float32Array();
    for (let at = 0; at < positions.length; at += 3) {
      low = Math.min(low, positions[at] ?? 0);
      high = Math.max(high, positions[at] ?? 0);
      bottom = Math.min(bottom, positions[at + 1] ?? 0);
      up = Math.max(up, positions[at + 1] ?? 0);
    }
    if (low > high) return;
    scale = 0.85 * Math.min(element.clientWidth / Math.max(10, high - low), element.clientHeight / Math.max(10, up - bottom));
    left = element.clientWidth / 2 - (scale * (low + high)) / 2;
    top = element.clientHeight / 2 + (scale * (bottom + up)) / 2;
    again();
  };
  const zoomAt = (factor: number, x: number, y: number) => {
    scale *= factor;
    left = x - (x - left) * factor;
    top = y - (y - top) * factor;
    again();
  };

  const observer = new ResizeObserver(() => {
    canvas.width = element.clientWidth * devicePixelRatio;
    canvas.height = element.clientHeight * devicePixelRatio;
    canvas.style.width = `${element.clientWidth}px`;
    canvas.style.height = `${element.clientHeight}px`;
    fit();
  });
  observer.observe(element);
  const ending = new AbortController();
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoomAt(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.offsetX, event.offsetY);
  }, { signal: ending.signal, passive: false });
  canvas.addEventListener('pointermove', (event) => {
    if (event.buttons !== 1) return;
    left += event.movementX;
    top += event.movementY;
    again();
  }, { signal: ending.signal });

  return {
    draw: (next) => {
      const first = scene === null || (scene.positions !== next.positions && !next.steady);
      scene = next;
      if (visible.length !== next.radii.length) visible = new Uint8Array(next.radii.length).fill(1);
      if (first) fit();
      again();
    },
    show: (next) => {
      visible = Uint8Array.from(next);
      tellDrawn(element, visible);
      again();
    },
    select: (node) => {
      selected = node;
      again();
    },
    pick: (x, y) => nearest(visible.length, x, y, project, radius),
    locate: ([x, y]) => [left + scale * x, top - scale * y],
    rotate: (right, up) => {
      left -= right * 200;
      top += up * 200;
      again();
    },
    zoom: (factor) => zoomAt(factor, element.clientWidth / 2, element.clientHeight / 2),
    fit,
    reset: fit,
    spin: () => undefined,
    picture: () => canvas.toDataURL('image/png'),
    dispose: () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      ending.abort();
      canvas.remove();
    },
  };
}
