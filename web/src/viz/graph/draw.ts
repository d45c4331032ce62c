/** Nodes and edges, laid out by forces, on a circle, or as a grid. */
import { count } from '@/lib/format';
import type { ChartLook, ChartOption } from '@/ui/chart';
import type { Words } from '../define';
import { exactCell, numberColumn, textColumn, type DrawnTable } from '../drawn';
import { colourOf, titleOf } from '../looks';
import { exactText } from '../numbers';
import { cut, itemTooltip, legendOption, tooltipHtml } from '../tooltip';
import type { GraphOptions } from './options';
import type { GraphModel } from './transform';

export function drawn(model: GraphModel, options: GraphOptions, words: Words): DrawnTable {
  const names = new Map(model.nodes.map((node) => [node.id, node.name]));
  const types = model.edges.some((edge) => edge.type !== '');
  return {
    columns: [textColumn(words('source')), textColumn(words('target')), ...(types ? [textColumn(words('type'))] : []), numberColumn(options.weight || words('rows'), options)],
    rows: model.edges.map((edge) => [names.get(edge.source) ?? edge.source, names.get(edge.target) ?? edge.target, ...(types ? [edge.type] : []), exactCell(edge.value)]),
  };
}

export function draw(model: GraphModel, options: GraphOptions, look: ChartLook, words: Words): ChartOption {
  const { nodes, edges, categories, arrange } = model;
  const legend = options.legend && categories.length > 1;
  // The room one node has: forces are percentages of it, so that a graph fills its card at any size.
  const room = Math.sqrt((look.width * look.height) / Math.max(1, nodes.length));
  // Where many stand close together, none covers its neighbours.
  const [least, more] = [Math.min(7, 0.4 * room), Math.min(25, 0.5 * room)];
  const places = new Map(nodes.map((node, index) => [node.id, index]));
  // As many columns as make the cells of a grid about square.
  const columns = Math.ceil(Math.sqrt((nodes.length * look.width) / look.height));
  // Of nodes that nothing tells apart none is a large one.
  const large = nodes.filter(({ size }) => size > 0).length;
  const labelled = { all: nodes.length, large: nodes.length <= 30 ? nodes.length : Math.min(large, 15), none: 0 }[options.labels];
  const colour = (category: string, index: number) => (category === '' ? (categories.length > 0 ? look.series[8] : look.series[0]) : colourOf(options.series, look, category, index, index < 0));
  const series = {
    type: 'graph' as const,
    layout: arrange,
    top: legend ? 40 : 16,
    bottom: 16,
    left: 24,
    right: 24,
    roam: true,
    draggable: nodes.length < 1_000,
    force: { repulsion: (room * options.repulsion) / 100, gravity: options.gravity / 100, edgeLength: (0.5 * room * options.edgeLength) / 100, layoutAnimation: !look.still && nodes.length < 300, friction: 0.3 },
    circular: { rotateLabel: true },
    edgeSymbol: ['none', options.arrows ? 'arrow' : 'none'],
    edgeSymbolSize: 6,
    categories: categories.map((category, index) => ({ name: titleOf(options.series, category), itemStyle: { color: colour(category, index) } })),
    lineStyle: { color: look.soft, opacity: edges.length > 800 ? 0.25 : 0.5, curveness: arrange === 'circular' ? 0.3 : 0.08 },
    label: { show: true, position: 'right', color: look.text, fontSize: look.fontSize },
    labelLayout: { hideOverlap: true },
    emphasis: { focus: 'adjacency', label: { show: true } },
    data: nodes.map((node, index) => {
      const category = categories.indexOf(node.category);
      return {
        name: node.id,
        symbolSize: least + node.size * more,
        ...(category >= 0 ? { category } : {}),
        itemStyle: { color: colour(node.category, category), borderColor: look.surface, borderWidth: room < 16 ? 0 : 1 },
        label: { show: index < labelled, formatter: () => cut(node.name, 18) },
        ...(arrange === 'none' ? { x: index % columns, y: Math.floor(index / columns) } : {}),
      };
    }),
    links: edges.map((edge) => ({ source: places.get(edge.source) ?? 0, target: places.get(edge.target) ?? 0, lineStyle: { width: 0.8 + edge.width * 4 } })),
  };
  return {
    legend: legend ? { ...legendOption(look, true), data: categories.map((category) => titleOf(options.series, category)) } : { show: false },
    tooltip: itemTooltip(look, ({ dataType, dataIndex }) => {
      if (dataType === 'edge') {
        const edge = edges[dataIndex];
        if (!edge) return '';
        const [source, target] = [nodes[places.get(edge.source) ?? -1]?.name ?? '', nodes[places.get(edge.target) ?? -1]?.name ?? ''];
        return tooltipHtml(`${source} → ${target}`, [...(edge.type === '' ? [] : [{ name: words('type'), value: edge.type }]), { name: options.weight || words('rows'), value: exactText(edge.value, options) }]);
      }
      const node = nodes[dataIndex];
      if (!node) return '';
      return tooltipHtml(node.name, [
        ...(node.category === '' ? [] : [{ name: options.category || words('type'), value: node.category }]),
        { name: words('links'), value: count(node.degree) },
        ...(options.weight === '' ? [] : [{ name: options.weight, value: exactText(node.weight, options) }]),
      ]);
    }),
    series: [series],
  } as ChartOption;
}
