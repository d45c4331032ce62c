/** Nodes and edges, laid out by forces, on a circle, or as a grid; names stay inside of the card. */
import { count } from '@/lib/format';
import type { ChartLook, ChartOption } from '@/ui/chart';
import type { Words } from '../define';
import { exactCell, numberColumn, textColumn, type DrawnTable } from '../drawn';
import { colourOf, titleOf } from '../looks';
import { exactText } from '../numbers';
import { itemTooltip, legendOption, tooltipHtml } from '../tooltip';
import { arranged } from './arrange';
import type { GraphOptions } from './options';
import { short } from './short';
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
  // The room one node has.
  const room = Math.sqrt((look.width * look.height) / Math.max(1, nodes.length));
  // Where many stand close together, none covers its neighbours.
  const [least, more] = [Math.min(7, 0.4 * room), Math.min(25, 0.35 * room)];
  const indexes = new Map(nodes.map((node, index) => [node.id, index]));
  // Of nodes that nothing tells apart none is a large one.
  const large = nodes.filter(({ size }) => size > 0).length;
  const labelled = { all: nodes.length, large: nodes.length <= 30 ? nodes.length : Math.min(large, 15), none: 0 }[options.labels];
  const colour = (category: string, index: number) => (category === '' ? (categories.length > 0 ? look.series[8] : look.series[0]) : colourOf(options.series, look, category, index, index < 0));
  const sizes = nodes.map((node) => least + node.size * more);
  const links = edges.map(({ source, target }) => [indexes.get(source) ?? 0, indexes.get(target) ?? 0] as const);
  const names = short(nodes.map(({ name }) => name));
  const stand = arranged({ arrange, sizes, names, labelled, links, legend }, options, look);
  const series = {
    type: 'graph' as const,
    layout: arrange === 'circular' ? 'circular' : 'none',
    ...stand.margins,
    roam: true,
    draggable: nodes.length < 1_000,
    circular: { rotateLabel: true },
    edgeSymbol: ['none', options.arrows ? 'arrow' : 'none'],
    edgeSymbolSize: 6,
    categories: categories.map((category, index) => ({ name: titleOf(options.series, category), itemStyle: { color: colour(category, index) } })),
    lineStyle: { color: look.soft, opacity: edges.length > 800 ? 0.25 : 0.5, curveness: arrange === 'circular' ? 0.3 : 0.08 },
    label: { position: 'right', color: look.text, fontSize: look.fontSize, textBorderColor: look.surface, textBorderWidth: 2 },
    labelLayout: { hideOverlap: true },
    emphasis: { focus: 'adjacency', label: { show: true } },
    data: nodes.map((node, index) => {
      const category = categories.indexOf(node.category);
      return {
        name: node.id,
        ...(category >= 0 ? { category } : {}),
        itemStyle: { color: colour(node.category, category), borderColor: look.surface, borderWidth: room < 16 ? 0 : 1 },
        ...stand.nodes[index],
      };
    }),
    links: edges.map((edge, index) => ({ source: links[index]?.[0], target: links[index]?.[1], lineStyle: { width: 0.8 + edge.width * 4 } })),
  };
  return {
    legend: legend ? { ...legendOption(look, true), data: categories.map((category) => titleOf(options.series, category)) } : { show: false },
    tooltip: itemTooltip(look, ({ dataType, dataIndex }) => {
      if (dataType === 'edge') {
        const edge = edges[dataIndex];
        if (!edge) return '';
        const [source, target] = [nodes[indexes.get(edge.source) ?? -1]?.name ?? '', nodes[indexes.get(edge.target) ?? -1]?.name ?? ''];
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
