/** The graph in space: bodies, lines, a floor, haze in the distance, and an eye that moves. */
import { BufferAttribute, Color, DirectionalLight, Fog, GridHelper, HemisphereLight, Mesh, MeshBasicMaterial, PerspectiveCamera, RingGeometry, Scene as Space, Spherical, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { drawnBySoftware } from '@/lib/webgl';
import { bodiesOf, coloursOf, type Part } from './bodies';
import { nearest, tellDrawn, type Scene, type Stage } from './stage';
import { brightWires, wallsOf, wiresOf } from './wires';

const FIELD = 45;
/** Frames that take longer than this one after the other make the picture coarser, where a processor draws. */
const SLOW_MS = 170;
const COARSEST = 0.5;
/** The boxes at the left, and how wide a stage must be to have them beside it; in pixels. */
const BESIDE = 220;
const NARROW = 700;

export function spaceStage(element: HTMLElement, onFrame: (ms: number) => void): Stage {
  const software = drawnBySoftware();
  // Four samples a pixel are a processor's whole time.
  const renderer = new WebGLRenderer({ antialias: !software, alpha: true });
  let ratio = software ? 1 : Math.min(devicePixelRatio, 2);
  renderer.setPixelRatio(ratio);
  element.append(renderer.domElement);
  const camera = new PerspectiveCamera(FIELD, 1, 0.5, 2000);
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.enableDamping = !software;
  controls.autoRotateSpeed = 0.6;
  controls.minDistance = 4;
  controls.maxDistance = 900;
  const space = new Space();
  const fog = new Fog('#000000', 1, 1000);
  space.fog = fog;
  const sun = new DirectionalLight('#ffffff', 2.4);
  sun.position.set(-0.4, 1, 0.9);
  space.add(new HemisphereLight('#ffffff', '#8a94a8', 1.5), sun);
  const ring = new Mesh(new RingGeometry(1.25, 1.42, 48), new MeshBasicMaterial({ depthTest: false, transparent: true, fog: false }));
  ring.visible = false;
  ring.renderOrder = 2;
  space.add(ring);

  let scene: Scene | null = null;
  let visible = new Uint8Array();
  let parts: Part[] = [];
  let bright: ReturnType<typeof brightWires> | null = null;
  let floor: GridHelper | null = null;
  let selected = -1;
  const centre = new Vector3();
  let reach = 60;
  let width = 1;
  let height = 1;
  let dirty = true;
  let frame = 0;
  let before = 0;
  let slow = 0;

  const position = (node: number, into: Vector3): Vector3 => into.fromArray(scene?.positions ?? [0, 0, 0], 3 * node);
  const spot = new Vector3();
  const onScreen = (): readonly [number, number] | null => {
    spot.project(camera);
    return spot.z > 1 ? null : [((spot.x + 1) / 2) * width, ((1 - spot.y) / 2) * height];
  };
  const project = (node: number): readonly [number, number] | null => {
    if (visible[node] !== 1) return null;
    position(node, spot);
    return onScreen();
  };
  const radiusOnScreen = (node: number): number => {
    const far = position(node, spot).distanceTo(camera.position);
    return ((scene?.radii[node] ?? 1) / (far * Math.tan((FIELD * Math.PI) / 360))) * (height / 2);
  };

  const clear = () => {
    for (const part of [...parts, ...(bright ? [bright] : [])]) {
      space.remove(part.object);
      part.dispose();
    }
    if (floor) {
      space.remove(floor);
      floor.dispose();
    }
    parts = [];
    bright = null;
    floor = null;
  };
  const show = (next: Uint8Array) => {
    visible = Uint8Array.from(next);
    tellDrawn(element, visible);
    for (const part of parts) part.show(visible);
    bright?.show(visible, selected);
    dirty = true;
  };

  const measure = () => {
    const nodes = scene?.radii.length ?? 0;
    if (scene?.row) {
      // The middle of the extent, and half the width.
      const low = new Vector3(Infinity, Infinity, Infinity);
      const high = new Vector3(-Infinity, -Infinity, -Infinity);
      for (let node = 0; node < nodes; node++) {
        low.min(position(node, spot));
        high.max(spot);
      }
      centre.addVectors(low, high).divideScalar(2);
      reach = Math.max(8, (high.x - low.x) * 0.5);
      return;
    }
    centre.set(0, 0, 0);
    for (let node = 0; node < nodes; node++) centre.addScaledVector(position(node, spot), 1 / nodes);
    const distances = Float32Array.from({ length: nodes }, (_, node) => position(node, spot).distanceTo(centre)).sort();
    // Of many nodes a few stragglers do not make everything small.
    reach = Math.max(8, (distances[Math.floor((nodes > 300 ? 0.98 : 1) * (nodes - 1))] ?? 8) + 2);
  };
  const far = () => (reach * 1.08) / Math.tan((FIELD * Math.PI) / 360) / Math.min(scene?.row ? 1.3 : 1, camera.aspect * 0.85);
  const look = (direction: Vector3) => {
    controls.target.copy(centre);
    camera.position.copy(centre).addScaledVector(direction.normalize(), far());
    controls.update();
    dirty = true;
  };
  const first = () => new Vector3(...(scene?.eye ?? [0, 0, 1]));

  const draw = (next: Scene) => {
    const newcomer = scene === null;
    const fresh = scene?.positions !== next.positions;
    clear();
    scene = next;
    fog.color = new Color(next.back);
    measure();
    const places = new BufferAttribute(next.positions, 3);
    const colours = coloursOf(next);
    let lowest = Infinity;
    for (let node = 0; node < next.radii.length; node++) lowest = Math.min(lowest, (next.positions[3 * node + 1] ?? 0) - (next.radii[node] ?? 0));
    const ground = next.row ? lowest - 0.6 : Math.min(lowest, centre.y - reach * 0.7);
    parts = [wiresOf(next, places, colours), bodiesOf(next, places, colours, fog, software)];
    if (next.walls) parts.unshift(wallsOf(next, colours, ground));
    bright = brightWires(next, places);
    floor = new GridHelper(reach * 6, 36, next.line, next.line);
    floor.position.copy(centre).setY(ground);
    for (const material of [floor.material].flat()) {
      material.transparent = true;
      material.opacity = 0.55;
      material.depthWrite = false;
    }
    ring.material.color.set(next.ink);
    space.add(floor, bright.object, ...parts.map(({ object }) => object));
    show(visible.length === next.radii.length && !fresh ? visible : new Uint8Array(next.radii.length).fill(1));
    if (newcomer || (fresh && !next.steady)) look(first());
    dirty = true;
  };

  const turn = new Spherical();
  const rotate = (right: number, up: number) => {
    turn.setFromVector3(camera.position.clone().sub(controls.target));
    turn.theta += right;
    turn.phi = Math.min(Math.PI - 0.05, Math.max(0.05, turn.phi - up));
    camera.position.setFromSpherical(turn).add(controls.target);
    dirty = true;
  };

  const resize = () => {
    width = Math.max(1, element.clientWidth);
    height = Math.max(1, element.clientHeight);
    camera.aspect = width / height;
    // The boxes at the left cover a part: the middle of the picture is the middle of the rest.
    camera.setViewOffset(width, height, width < NARROW ? 0 : -BESIDE / 2, 0, width, height);
    renderer.setSize(width, height);
    dirty = true;
  };
  const observer = new ResizeObserver(resize);
  observer.observe(element);
  resize();
  controls.addEventListener('change', () => {
    dirty = true;
  });

  const render = () => {
    const away = camera.position.distanceTo(centre);
    fog.near = away - reach * 0.2;
    fog.far = away + reach * 2.6;
    ring.visible = selected >= 0 && visible[selected] === 1;
    if (ring.visible) {
      position(selected, ring.position);
      ring.scale.setScalar(scene?.radii[selected] ?? 1);
      ring.quaternion.copy(camera.quaternion);
    }
    renderer.render(space, camera);
  };
  const coarser = (ms: number) => {
    slow = ms > SLOW_MS && ms < 2000 ? slow + 1 : 0;
    if (slow < 3 || ratio <= COARSEST) return;
    slow = 0;
    ratio = Math.max(COARSEST, ratio * 0.8);
    renderer.setPixelRatio(ratio);
    dirty = true;
  };

  // The browser asks for no frames while the page is hidden, so nothing is drawn then.
  let moved = false;
  const tick = (now: number) => {
    frame = requestAnimationFrame(tick);
    controls.update(before === 0 ? undefined : Math.min(0.1, (now - before) / 1000));
    if (dirty) {
      dirty = false;
      render();
      onFrame(now - before);
      // The first frame after a rest says nothing about how long frames take.
      if (software && moved) coarser(now - before);
      moved = true;
    } else moved = false;
    before = now;
  };
  frame = requestAnimationFrame(tick);

  return {
    draw,
    show,
    select: (node) => {
      selected = node;
      bright?.show(visible, selected);
      dirty = true;
    },
    pick: (x, y) => nearest(visible.length, x, y, project, radiusOnScreen),
    locate: (place) => {
      spot.set(...place);
      return onScreen();
    },
    rotate,
    zoom: (factor) => {
      camera.position.sub(controls.target).divideScalar(factor).add(controls.target);
      dirty = true;
    },
    fit: () => look(camera.position.clone().sub(controls.target)),
    reset: () => look(first()),
    spin: (on) => {
      controls.autoRotate = on;
    },
    picture: () => {
      // What was drawn is kept until the browser shows it, no longer: so it is drawn now.
      render();
      return renderer.domElement.toDataURL('image/png');
    },
    dispose: () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      controls.dispose();
      clear();
      ring.geometry.dispose();
      ring.material.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
      renderer.domElement.remove();
    },
  };
}
