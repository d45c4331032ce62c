/** Nodes as discs lit like spheres (or as squares): four corners' work less than spheres, for processors that draw. */
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Points, ShaderMaterial, Vector2, type Fog } from 'three';

const vertex = `
attribute float size;
attribute float box;
attribute vec3 color;
uniform float fogNear;
uniform float fogFar;
uniform float tall;
varying vec3 paint;
varying float haze;
varying float square;
void main() {
  paint = color;
  square = box;
  vec4 seen = modelViewMatrix * vec4(position, 1.0);
  haze = smoothstep(fogNear, fogFar, -seen.z) * 0.85;
  gl_Position = projectionMatrix * seen;
  // Pixels of a radius at this distance, twice, by the height of the picture.
  gl_PointSize = max(2.5, size * projectionMatrix[1][1] * tall / -seen.z);
  if (size <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const fragment = `
uniform vec3 back;
varying vec3 paint;
varying float haze;
varying float square;
void main() {
  vec2 at = gl_PointCoord * 2.0 - 1.0;
  float far = dot(at, at);
  if (square < 0.5 && far > 1.0) discard;
  vec3 normal = square < 0.5 ? vec3(at.x, -at.y, sqrt(1.0 - far)) : vec3(0.0, 0.25 - 0.25 * at.y, 0.9);
  float light = 0.5 + 0.54 * max(0.0, dot(normal, vec3(-0.36, 0.6, 0.71)));
  float glance = max(0.0, dot(normal, vec3(-0.3, 0.5, 0.81)));
  glance *= glance;
  glance *= glance;
  vec3 shade = paint * light + 0.22 * glance * glance * glance;
  gl_FragColor = vec4(mix(shade, back, haze), 1.0);
  #include <colorspace_fragment>
}`;

export function discs(places: BufferAttribute, colours: BufferAttribute, boxes: Uint8Array | null, fog: Fog): Points<BufferGeometry, ShaderMaterial> {
  const { count } = places;
  const geometry = new BufferGeometry().setAttribute('position', places).setAttribute('color', colours);
  geometry.setAttribute('size', new BufferAttribute(new Float32Array(count), 1).setUsage(DynamicDrawUsage));
  geometry.setAttribute('box', new BufferAttribute(Float32Array.from(boxes ?? new Uint8Array(count)), 1));
  const uniforms = { back: { value: new Color() }, fogNear: { value: 0 }, fogFar: { value: 1 }, tall: { value: 1 } };
  const points = new Points(geometry, new ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, uniforms }));
  points.frustumCulled = false;
  const picture = new Vector2();
  points.onBeforeRender = (renderer) => {
    uniforms.tall.value = renderer.getDrawingBufferSize(picture).y;
    uniforms.back.value.copy(fog.color);
    uniforms.fogNear.value = fog.near;
    uniforms.fogFar.value = fog.far;
  };
  return points;
}
