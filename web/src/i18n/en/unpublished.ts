// Pages whose content is not published.
const unpublished = {
  blog: 'No article is published yet. What is new in the API stands in its change log; what people make with Quarry is under Discover.',
  changes: 'Change log of the API',
  pricing: 'No prices are published yet. The official dashboards are open in part to visitors and whole to everybody with an account; the limits of the API stand in its documentation.',
  limits: 'Limits of the API',
};

const texts = { unpublished };

export default texts;
