// Text a person reads comes from i18n: reports words written straight into JSX.

const attributes = new Set(['title', 'placeholder', 'alt', 'label', 'aria-label', 'aria-description', 'description', 'okText', 'cancelText', 'message', 'tooltip', 'hint']);
const words = /\p{L}{2,}/u;
/** Names that are the same in every language. */
const names = new Set(['Quarry', 'SQL', 'HIVE', 'GRAPH', 'MAPREDUCE', 'LABEL', 'CSV', 'JSON', 'Parquet', 'Arrow', 'Excel', 'ETH', 'gwei', 'UTC', 'EN', '中文', 'English']);

const isText = (text) => words.test(text) && !names.has(text.trim());

export const translatedText = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const report = (node, text) => context.report({ node, message: `Text "${text.trim()}" is not translated: put it in i18n and use t().` });
    const literals = (node) => {
      if (!node) return;
      if (node.type === 'Literal' && typeof node.value === 'string' && isText(node.value)) report(node, node.value);
      if (node.type === 'TemplateLiteral') node.quasis.forEach((part) => isText(part.value.raw) && report(part, part.value.raw));
      if (node.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach(literals);
      if (node.type === 'LogicalExpression') literals(node.right);
    };
    return {
      JSXText: (node) => isText(node.value) && report(node, node.value),
      JSXExpressionContainer: (node) => ['JSXElement', 'JSXFragment'].includes(node.parent.type) && literals(node.expression),
      JSXAttribute: (node) => {
        if (!attributes.has(node.name.name)) return;
        literals(node.value?.type === 'JSXExpressionContainer' ? node.value.expression : node.value);
      },
    };
  },
};
