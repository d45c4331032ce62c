// The command palette.
export default {
  palette: {
    title: 'Search and commands',
    search: 'Search or jump to…',
    none: 'Nothing is called that.',
    found_one: '{{count}} entry',
    found_other: '{{count}} entries',
    groups: { actions: 'Actions', pages: 'Pages', queries: 'My queries', dashboards: 'My dashboards', tables: 'Tables', functions: 'Functions' },
  },
};
