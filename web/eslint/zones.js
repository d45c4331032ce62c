// Which part of src may import which: the one list, and the ESLint rule made from it.
import path from 'node:path';

/** Base rooms in their order: a room may import itself and the ones before it. */
const base = ['lib', 'i18n', 'api', 'live', 'ui'];

/** Rooms above the base and what they may import besides it. */
const upper = {
  viz: [],
  'query-kinds': ['viz'],
  features: ['viz', 'query-kinds'],
  app: ['viz', 'query-kinds', 'features'],
};

/** Packages that only one file may import, and what the others use instead. */
const wrapped = [
  { package: /^ag-grid-/, file: 'ui/grid' },
  { package: /^echarts(-gl)?(\/|$)/, file: 'ui/chart' },
  { package: /^(@codemirror|@lezer)\//, file: 'ui/editor' },
];

/** The rooms that `room` may import. */
export function allowed(room) {
  if (room in upper) return [...base, ...upper[room], room];
  return base.slice(0, base.indexOf(room) + 1);
}

/** The sentence to show when the file `from` (relative to src) must not import the file `to`; else nothing. */
export function violation(from, to) {
  const [room, feature] = from.split('/');
  const [targetRoom, targetFeature] = to.split('/');
  if (!room || !targetRoom) return undefined;
  if (room === 'features' && targetRoom === 'features' && feature !== targetFeature) {
    return `A feature never imports another feature: move what ${feature} and ${targetFeature} share to ui, lib or api.`;
  }
  if (!allowed(room).includes(targetRoom)) {
    return `${room} never imports ${targetRoom}: it may import ${allowed(room).join(', ')}.`;
  }
  return undefined;
}

/** The sentence to show when the file `from` must not import the package `name`; else nothing. */
export function packageViolation(from, name) {
  for (const rule of wrapped) {
    if (rule.package.test(name) && !from.startsWith(rule.file)) return `Only ${rule.file} imports ${name}: use what it exports.`;
  }
  return undefined;
}

export const zones = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const src = path.join(context.cwd, 'src');
    const from = path.relative(src, context.filename).replaceAll(path.sep, '/');
    if (from.startsWith('..')) return {};
    const check = (node) => {
      const source = node.source?.value;
      if (typeof source !== 'string') return;
      let message;
      if (source.startsWith('@/')) message = violation(from, source.slice(2));
      else if (source.startsWith('.')) {
        const to = path.relative(src, path.resolve(path.dirname(context.filename), source)).replaceAll(path.sep, '/');
        message = violation(from, to);
      } else message = packageViolation(from, source);
      if (message) context.report({ node, message });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check };
  },
};
