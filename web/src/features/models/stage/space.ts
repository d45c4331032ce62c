/** The graph in space: instanced spheres (or points, where a processor draws them), lines, a floor, and an eye that moves. */
import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  DynamicDrawUsage,
  GridHelper,
  IcosahedronGeometry,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PerspectiveCamera,
  Points,
  RingGeometry,
  Scene as Space,
  Spherical,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { nearest, type Scene, type Stage } from './stage';
import { discs } from './points';

const FIELD = 45;

/** Whether a processor does the work of a graphics card. */
function drawnBySoftware(renderer: WebGLRenderer): boolean {
  const context = renderer.getContext();
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = info ? context.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
  return typeof name === 'string' && /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export function spaceStage(element: HTMLElement, onFrame: (ms: number) => void): Stage {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  const software = drawnBySoftware(renderer);
  renderer.setPixelRatio(software ? 1 : Math.min(devicePixelRatio, 2));
  element.append(renderer.domElement);
  const camera = new PerspectiveCamera(FIELD, 1, 0.5, 2000);
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.enableDamping = !software;
  controls.autoRotateSpeed = 0.6;
  controls.minDistance = 4;
  controls.maxDistance = 900;
  const space = new Space();
  const sun = new DirectionalLight('#ffffff', 2.2);
  sun.position.set(0.6, 1, 0.8);
  space.add(new AmbientLight('#ffffff', 1.6), sun);
  const ring = new Mesh(new RingGeometry(1.25, 1.42, 48), new MeshBasicMaterial({ depthTest: false, transparent: true }));
  ring.visible = false;
  space.add(ring);

  let scene: Scene | null = null;
  let visible = new Uint8Array();
  let bodies: InstancedMesh | Points | null = null;
  let wires: LineSegments | null = null;
  let floor: GridHelper | null = null;
  let selected = -1;
  const centre = new Vector3();
  let reach = 60;
  let width = 1;
  let height = 1;
  let dirty = true;
  let frame = 0;
  let before = 0;

  const position = (node: number, into: Vector3): Vector3 => into.fromArray(scene?.positions ?? [0, 0, 0], 3 * node);
  const spot = new Vector3();
  const project = (node: number): readonly [number, number] | null => {
    if (visible[node] !== 1) return null;
    position(node, spot).project(camera);
    return spot.z > 1 ? null : [((spot.x + 1) / 2) * width, ((1 - spot.y) / 2) * height];
  };
  const radiusOnScreen = (node: number): number => {
    const far = position(node, spot).distanceTo(camera.position);
    return ((scene?.radii[node] ?? 1) / (far * Math.tan((FIELD * Math.PI) / 360))) * (height / 2);
  };

  const clear = () => {
    for (const object of [bodies, wires, floor]) {
      if (!object) continue;
      space.remove(object);
      object.geometry.dispose();
      for (const material of [object.material].flat()) material.dispose();
      if (object instanceof InstancedMesh) object.dispose();
    }
    bodies = wires = floor = null;
  };

  const fillBodies = () => {
    if (!scene || !bodies) return;
    if (bodies instanceof Points) {
      const sizes = bodies.geometry.getAttribute('size') as BufferAttribute;
      for (let node = 0; node < visible.length; node++) sizes.setX(node, visible[node] === 1 ? (scene.radii[node] ?? 0) : 0);
      sizes.needsUpdate = true;
      return;
    }
    const matrix = new Matrix4();
    for (let node = 0; node < visible.length; node++) {
      const radius = visible[node] === 1 ? (scene.radii[node] ?? 0) : 0;
      matrix.makeScale(radius, radius, radius).setPosition(position(node, spot));
      bodies.setMatrixAt(node, matrix);
    }
    bodies.instanceMatrix.needsUpdate = true;
  };

  const fillWires = () => {
    if (!scene || !wires) return;
    const index = wires.geometry.index as BufferAttribute;
    let used = 0;
    for (let at = 0; at < scene.links.length; at += 2) {
      const a = scene.links[at] ?? 0;
      const b = scene.links[at + 1] ?? 0;
      if (visible[a] !== 1 || visible[b] !== 1) continue;
      index.setX(used++, a);
      index.setX(used++, b);
    }
    index.needsUpdate = true;
    wires.geometry.setDrawRange(0, used);
  };

  const show = (next: Uint8Array) => {
    visible = Uint8Array.from(next);
    fillBodies();
    fillWires();
    dirty = true;
  };

  const measure = () => {
    centre.set(0, 0, 0);
    const nodes = scene?.radii.length ?? 0;
    for (let node = 0; node < nodes; node++) centre.addScaledVector(position(node, spot), 1 / nodes);
    const distances = Float32Array.from({ length: nodes }, (_, node) => position(node, spot).distanceTo(centre)).sort();
    // A few stragglers do not make everything small.
    reach = Math.max(8, distances[Math.floor(0.97 * (nodes - 1))] ?? 8);
  };
  const far = () => (reach * 1.25) / Math.tan((FIELD * Math.PI) / 360) / Math.min(1, camera.aspect * 0.9);
  const look = (direction: Vector3) => {
    controls.target.copy(centre);
    camera.position.copy(centre).addScaledVector(direction.normalize(), far());
    controls.update();
    dirty = true;
  };

  const draw = (next: Scene) => {
    const first = scene === null || scene.positions !== next.positions;
    clear();
    scene = next;
    const count = next.radii.length;
    const paints = next.palette.map((name) => new Color(name));
    const paint = (node: number) => paints[next.colours[node] ?? 0] ?? new Color('#888888');
    const colours = new BufferAttribute(Float32Array.from({ length: 3 * count }, (_, at) => paint(Math.floor(at / 3)).toArray()[at % 3] ?? 0), 3);
    const places = new BufferAttribute(next.positions, 3);
    if (software) bodies = discs(places, colours, count);
    else {
      bodies = new InstancedMesh(new IcosahedronGeometry(1, count > 800 ? 2 : 4), new MeshLambertMaterial(), count);
      bodies.instanceMatrix.setUsage(DynamicDrawUsage);
      for (let node = 0; node < count; node++) bodies.setColorAt(node, paint(node));
      bodies.frustumCulled = false;
    }
    const lines = new BufferGeometry().setAttribute('position', places).setAttribute('color', colours);
    lines.setIndex(new BufferAttribute(new Uint32Array(next.links.length), 1).setUsage(DynamicDrawUsage));
    wires = new LineSegments(lines, new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: next.links.length > 4000 ? 0.22 : 0.4, depthWrite: false }));
    wires.frustumCulled = false;
    measure();
    floor = new GridHelper(reach * 5, 30, next.line, next.line);
    floor.position.copy(centre).setY(centre.y - reach * 0.8);
    for (const material of [floor.material].flat()) {
      material.transparent = true;
      material.opacity = 0.5;
    }
    ring.material.color.set(next.ink);
    space.add(floor, wires, bodies);
    show(visible.length === count ? visible : new Uint8Array(count).fill(1));
    if (first) look(new Vector3(0.25, 0.35, 1));
    dirty = true;
  };

  const turn = new Spherical();
  const rotate = (right: number, up: number) => {
    const arm = camera.position.clone().sub(controls.target);
    turn.setFromVector3(arm);
    turn.theta += right;
    turn.phi = Math.min(Math.PI - 0.05, Math.max(0.05, turn.phi - up));
    camera.position.setFromSpherical(turn).add(controls.target);
    dirty = true;
  };

  const resize = () => {
    width = Math.max(1, element.clientWidth);
    height = Math.max(1, element.clientHeight);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    renderer.setSize(width, height);
    dirty = true;
  };
  const observer = new ResizeObserver(resize);
  observer.observe(element);
  resize();
  controls.addEventListener('change', () => {
    dirty = true;
  });

  // The browser asks for no frames while the page is hidden, so nothing is drawn then.
  const tick = (now: number) => {
    frame = requestAnimationFrame(tick);
    controls.update(before === 0 ? undefined : Math.min(0.1, (now - before) / 1000));
    if (dirty) {
      ring.visible = selected >= 0 && visible[selected] === 1;
      if (ring.visible) {
        position(selected, ring.position);
        ring.scale.setScalar(scene?.radii[selected] ?? 1);
        ring.quaternion.copy(camera.quaternion);
      }
      dirty = false;
      renderer.render(space, camera);
      onFrame(now - before);
    }
    before = now;
  };
  frame = requestAnimationFrame(tick);

  return {
    draw,
    show,
    select: (node) => {
      selected = node;
      dirty = true;
    },
    pick: (x, y) => nearest(visible.length, x, y, project, radiusOnScreen),
    project,
    rotate,
    zoom: (factor) => {
      camera.position.sub(controls.target).divideScalar(factor).add(controls.target);
      dirty = true;
    },
    fit: () => look(camera.position.clone().sub(controls.target)),
    reset: () => look(new Vector3(0.25, 0.35, 1)),
    spin: (on) => {
      controls.autoRotate = on;
    },
    picture: () => renderer.domElement.toDataURL('image/png'),
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
