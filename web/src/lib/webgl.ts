// Whether this browser can draw in space, and what does the drawing.
let known: { name: string } | null | undefined;

function ask(): { name: string } | null {
  const context = document.createElement('canvas').getContext('webgl');
  if (!context) return null;
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = info ? context.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
  // Browsers keep few contexts alive: this one was only a question.
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return { name: typeof name === 'string' ? name : '' };
}

export function hasWebgl(): boolean {
  known ??= ask();
  return known !== null;
}

/** Whether a processor does the work of a graphics card. */
export function drawnBySoftware(): boolean {
  return hasWebgl() && /swiftshader|llvmpipe|software|basic render/i.test(known?.name ?? '');
}
