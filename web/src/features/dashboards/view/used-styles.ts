// Which properties a picture of an element needs. Each element of it is drawn from its own computed styles, of which browsers know
// more than 400: for a table of two hundred rows that takes ten seconds, and one with those that make a difference.

/** Other names of what `width`, `margin-left` and their like say too. */
const alias = /(?:^|-)(?:inline|block)(?:-|$)/;
const pseudos = [null, '::before', '::after'] as const;

/** The properties in which anything inside of the element differs from how browsers draw its tags by themselves. */
export function usedStyles(element: Element): string[] {
  const all = Array.from(getComputedStyle(document.documentElement)).filter((name) => !alias.test(name));
  const used = new Set<string>();
  const seen = new Set<string>();
  // No style of the page reaches what is inside of it, and nothing is inherited.
  const host = document.createElement('div');
  host.style.all = 'initial';
  const bare = host.attachShadow({ mode: 'closed' });
  document.body.append(host);
  for (const each of [element, ...element.querySelectorAll(':not(svg *)')]) {
    const looks = looksOf(each);
    if (seen.has(looks)) continue;
    seen.add(looks);
    const blank = document.createElementNS(each.namespaceURI, each.localName);
    bare.append(blank);
    for (const pseudo of pseudos) {
      const style = getComputedStyle(each, pseudo);
      if (pseudo !== null && style.content === 'none') continue;
      const plain = getComputedStyle(blank, pseudo);
      for (const name of all) if (!used.has(name) && style.getPropertyValue(name) !== plain.getPropertyValue(name)) used.add(name);
    }
    blank.remove();
  }
  host.remove();
  return all.filter((name) => used.has(name));
}

/** What the page's rules tell elements apart by: of a table's thousand cells one is looked at. */
function looksOf(element: Element): string {
  return [element.localName, ...Array.from(element.attributes, ({ name, value }) => (/^(?:class|style|data-.*)$/.test(name) ? `${name}=${value}` : name))].join(' ');
}
