// Whether this browser can draw in space.
let known: boolean | undefined;

export function hasWebgl(): boolean {
  if (known === undefined) {
    const context = document.createElement('canvas').getContext('webgl');
    known = context !== null;
    // Browsers keep few contexts alive: this one was only a question.
    context?.getExtension('WEBGL_lose_context')?.loseContext();
  }
  return known;
}
