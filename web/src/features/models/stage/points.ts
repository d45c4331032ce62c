/** Nodes as discs that look like lit spheres: four corners' work less than spheres, for processors that draw. */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Points, ShaderMaterial } from 'three';

const vertex = `
attribute float size;
attribute vec3 color;
varying vec3 paint;
void main() {
  paint = color;
  vec4 seen = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * seen;
  // Pixels of a radius at this distance, twice, by the height of the picture.
  gl_PointSize = size <= 0.0 ? 0.0 : max(2.5, size * projectionMatrix[1][1] * 900.0 / -seen.z);
  if (size <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const fragment = `
varying vec3 paint;
void main() {
  vec2 at = gl_PointCoord * 2.0 - 1.0;
  float far = dot(at, at);
  if (far > 1.0) discard;
  float light = 0.62 + 0.38 * sqrt(1.0 - far) + 0.16 * dot(at, vec2(-0.5, -0.7));
  gl_FragColor = vec4(paint * light, 1.0);
  #include <colorspace_fragment>
}`;

export function discs(places: BufferAttribute, colours: BufferAttribute, count: number): Points {
  const geometry = new BufferGeometry().setAttribute('position', places).setAttribute('color', colours);
  geometry.setAttribute('size', new BufferAttribute(new Float32Array(count), 1).setUsage(DynamicDrawUsage));
  const points = new Points(geometry, new ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment }));
  points.frustumCulled = false;
  return points;
}
