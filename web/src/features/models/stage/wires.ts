/** The links in the room: lines from node to node, walls below them, and the bright ones of the selected node. */
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial } from 'three';
import type { Part } from './bodies';
import type { Scene } from './stage';

/** Lines between pairs of places that exist already: only the list of pairs changes. */
function lines(places: BufferAttribute, colours: BufferAttribute | null, most: number, material: LineBasicMaterial) {
  const geometry = new BufferGeometry().setAttribute('position', places);
  if (colours) geometry.setAttribute('color', colours);
  const index = new BufferAttribute(new Uint32Array(2 * most), 1).setUsage(DynamicDrawUsage);
  geometry.setIndex(index);
  const object = new LineSegments(geometry, material);
  object.frustumCulled = false;
  const fill = (links: Uint32Array, wanted: (source: number, target: number) => boolean) => {
    let used = 0;
    for (let at = 0; at < links.length; at += 2) {
      const source = links[at] ?? 0;
      const target = links[at + 1] ?? 0;
      if (!wanted(source, target)) continue;
      index.setX(used++, source);
      index.setX(used++, target);
    }
    index.needsUpdate = true;
    geometry.setDrawRange(0, used);
  };
  const dispose = () => {
    geometry.dispose();
    material.dispose();
  };
  return { object, fill, dispose };
}

/** The fainter, the more there are. */
const opacityFor = (links: number): number => (links > 4000 ? 0.16 : links > 1500 ? 0.26 : links > 400 ? 0.4 : 0.6);

export function wiresOf(scene: Scene, places: BufferAttribute, colours: BufferAttribute): Part {
  const count = scene.links.length / 2;
  const material = new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: scene.walls ? 1 : opacityFor(count), depthWrite: false });
  const { object, fill, dispose } = lines(places, colours, count, material);
  return { object, show: (visible) => fill(scene.links, (source, target) => visible[source] === 1 && visible[target] === 1), dispose };
}

/** The links of one node, over everything else. */
export function brightWires(scene: Scene, places: BufferAttribute) {
  const material = new LineBasicMaterial({ color: scene.ink, transparent: true, opacity: 0.85, depthTest: false });
  const { object, fill, dispose } = lines(places, null, scene.links.length / 2, material);
  object.renderOrder = 1;
  return { object, dispose, show: (visible: Uint8Array, selected: number) => fill(scene.links, (source, target) => (source === selected || target === selected) && visible[source] === 1 && visible[target] === 1) };
}

/** A wall below each link, down to the floor. */
export function wallsOf(scene: Scene, colours: BufferAttribute, floor: number): Part {
  const count = scene.links.length / 2;
  const positions = new Float32Array(count * 12);
  const paints = new Float32Array(count * 12);
  for (let link = 0; link < count; link++) {
    const ends = [scene.links[2 * link] ?? 0, scene.links[2 * link + 1] ?? 0];
    for (const [end, node] of ends.entries()) {
      const [x = 0, y = 0, z = 0] = scene.positions.subarray(3 * node, 3 * node + 3);
      positions.set([x, y, z, x, floor, z], 12 * link + 6 * end);
      const colour = [colours.getX(node), colours.getY(node), colours.getZ(node)];
      paints.set([...colour, ...colour], 12 * link + 6 * end);
    }
  }
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3)).setAttribute('color', new BufferAttribute(paints, 3));
  const index = new BufferAttribute(new Uint32Array(count * 6), 1).setUsage(DynamicDrawUsage);
  geometry.setIndex(index);
  const material = new MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.2, side: DoubleSide, depthWrite: false });
  const object = new Mesh(geometry, material);
  object.frustumCulled = false;
  return {
    object,
    show: (visible) => {
      let used = 0;
      for (let link = 0; link < count; link++) {
        if (visible[scene.links[2 * link] ?? 0] !== 1 || visible[scene.links[2 * link + 1] ?? 0] !== 1) continue;
        for (const corner of [0, 1, 2, 1, 3, 2]) index.setX(used++, 4 * link + corner);
      }
      index.needsUpdate = true;
      geometry.setDrawRange(0, used);
    },
    dispose: () => {
      geometry.dispose();
      material.dispose();
    },
  };
}
