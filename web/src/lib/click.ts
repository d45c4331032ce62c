// What a click was meant for.

/** What can be used: the rest of a page is only read. */
const controls = 'a[href], button, summary, label, input, select, [role="tab"], [role="menuitem"], [role="option"], [role="switch"], [role="radio"]';
const longest = 100;

export interface Click {
  /** What the control is called. */
  title: string;
  /** What kind of control it is, and where a link leads. */
  behavior: string;
}

/** The link or control that was clicked; null for a click on anything else. What people typed is never read. */
export function clickOf(target: EventTarget | null): Click | null {
  const control = target instanceof Element ? target.closest(controls) : null;
  if (!control) return null;
  const kind = control.getAttribute('role') ?? control.tagName.toLowerCase();
  const name = control.getAttribute('aria-label') ?? control.getAttribute('title') ?? (control instanceof HTMLInputElement ? control.name : control.textContent);
  const link = control.getAttribute('href');
  return { title: name.trim().replace(/\s+/g, ' ').slice(0, longest), behavior: link === null ? kind : `${kind} ${link}`.slice(0, 2 * longest) };
}
