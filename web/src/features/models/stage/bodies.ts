/** The nodes in the room: points where a processor draws, else instanced spheres and boxes. */
import { BoxGeometry, BufferAttribute, Color, DynamicDrawUsage, Group, IcosahedronGeometry, InstancedMesh, Matrix4, MeshPhongMaterial, Vector3, type BufferGeometry, type Fog, type Object3D } from 'three';
import { discs } from './points';
import type { Scene } from './stage';

/** A part of the picture that shows some of the nodes or links. */
export interface Part {
  readonly object: Object3D;
  /** 1 or 0 for each node. */
  show: (visible: Uint8Array) => void;
  dispose: () => void;
}

/** The colour of each node, three numbers each. */
export function coloursOf(scene: Scene): BufferAttribute {
  const paints = scene.palette.map((name) => new Color(name));
  const none = new Color('#888888');
  const numbers = new Float32Array(3 * scene.colours.length);
  for (const [node, colour] of scene.colours.entries()) (paints[colour] ?? none).toArray(numbers, 3 * node);
  return new BufferAttribute(numbers, 3);
}

export function bodiesOf(scene: Scene, places: BufferAttribute, colours: BufferAttribute, fog: Fog, software: boolean): Part {
  return software ? asPoints(scene, places, colours, fog) : asSolids(scene);
}

function asPoints(scene: Scene, places: BufferAttribute, colours: BufferAttribute, fog: Fog): Part {
  const points = discs(places, colours, scene.boxes, fog);
  return {
    object: points,
    show: (visible) => {
      const sizes = points.geometry.getAttribute('size') as BufferAttribute;
      for (let node = 0; node < visible.length; node++) sizes.setX(node, visible[node] === 1 ? (scene.radii[node] ?? 0) : 0);
      sizes.needsUpdate = true;
    },
    dispose: () => {
      points.geometry.dispose();
      points.material.dispose();
    },
  };
}

function asSolids(scene: Scene): Part {
  const nodes = Array.from(scene.radii.keys());
  const isBox = (node: number) => scene.boxes?.[node] === 1;
  const round = nodes.filter((node) => !isBox(node));
  const square = nodes.filter(isBox);
  const object = new Group();
  const made = [solids(scene, round, new IcosahedronGeometry(1, round.length > 800 ? 2 : 4)), solids(scene, square, new BoxGeometry(2, 2, 2))];
  for (const { mesh } of made) object.add(mesh);
  return {
    object,
    show: (visible) => {
      for (const { fill } of made) fill(visible);
    },
    dispose: () => {
      for (const { dispose } of made) dispose();
    },
  };
}

/** One shape, drawn once for each of the nodes. */
function solids(scene: Scene, nodes: readonly number[], shape: BufferGeometry) {
  const material = new MeshPhongMaterial({ shininess: 60, specular: '#3a3a3a' });
  const mesh = new InstancedMesh(shape, material, nodes.length);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  const paints = scene.palette.map((name) => new Color(name));
  const none = new Color('#888888');
  for (const [place, node] of nodes.entries()) mesh.setColorAt(place, paints[scene.colours[node] ?? 0] ?? none);
  const matrix = new Matrix4();
  const spot = new Vector3();
  const fill = (visible: Uint8Array) => {
    for (const [place, node] of nodes.entries()) {
      const radius = visible[node] === 1 ? (scene.radii[node] ?? 0) : 0;
      matrix.makeScale(radius, radius, radius).setPosition(spot.fromArray(scene.positions, 3 * node));
      mesh.setMatrixAt(place, matrix);
    }
    mesh.instanceMatrix.needsUpdate = true;
  };
  const dispose = () => {
    shape.dispose();
    material.dispose();
    mesh.dispose();
  };
  return { mesh, fill, dispose };
}
