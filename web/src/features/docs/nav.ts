// The pages of the two manuals, in reading order. A page's text is `data/docs/<language>/<id>.md`.
import type { Texts } from '@/i18n/texts';

export type PageName = keyof Texts['docs']['page'];
export type GroupName = keyof Texts['docs']['group'];

export interface DocPage {
  /** The address without its leading slash, which is also the text's name. */
  readonly id: string;
  readonly name: PageName;
  /** A page of the developer API that is made from the metrics of this category. */
  readonly category?: Category;
}

export const categories = ['address', 'blockchain', 'fees', 'market', 'mining', 'protocols', 'supply', 'tokens', 'transactions'] as const;
export type Category = (typeof categories)[number];

export interface DocGroup {
  readonly name: GroupName;
  readonly pages: readonly DocPage[];
}

export type ManualName = 'platform' | 'developer-apis';

export interface Manual {
  readonly name: ManualName;
  readonly groups: readonly DocGroup[];
}

export const platform: Manual = {
  name: 'platform',
  groups: [
    { name: 'quarry', pages: [{ id: 'platform/summarize', name: 'summarize' }] },
    {
      name: 'useCases',
      pages: [
        { id: 'platform/use-cases/case', name: 'case' },
        { id: 'platform/use-cases/official-dashboard', name: 'officialDashboard' },
        { id: 'platform/use-cases/other-case', name: 'otherCase' },
      ],
    },
    {
      name: 'direction',
      pages: [
        { id: 'platform/direction-for-use/new-query', name: 'newQuery' },
        { id: 'platform/direction-for-use/create-visualization', name: 'createVisualization' },
        { id: 'platform/direction-for-use/create-dashboard', name: 'createDashboard' },
      ],
    },
    {
      name: 'data',
      pages: [
        { id: 'platform/data-declaration/ETH', name: 'eth' },
        { id: 'platform/data-declaration/token', name: 'token' },
      ],
    },
    {
      name: 'functions',
      pages: [
        { id: 'platform/function-introduction/query', name: 'queryFunctions' },
        { id: 'platform/function-introduction/visualization', name: 'visualizationFunctions' },
      ],
    },
    {
      name: 'course',
      pages: [
        { id: 'platform/course/query', name: 'queryCourse' },
        { id: 'platform/course/sql-course', name: 'sqlCourse' },
      ],
    },
    {
      name: 'more',
      pages: [
        { id: 'platform/join-us', name: 'joinUs' },
        { id: 'platform/FAQ', name: 'faq' },
      ],
    },
  ],
};

export const developer: Manual = {
  name: 'developer-apis',
  groups: [
    {
      name: 'start',
      pages: [
        { id: 'developer-apis/change-log', name: 'changeLog' },
        { id: 'developer-apis/introduction/api-key-setup', name: 'keySetup' },
        { id: 'developer-apis/introduction/api-key-restrictions', name: 'keyRestrictions' },
      ],
    },
    {
      name: 'info',
      pages: [
        { id: 'developer-apis/info/general-api-info', name: 'generalInfo' },
        { id: 'developer-apis/info/limit', name: 'limit' },
        { id: 'developer-apis/info/data-sources', name: 'dataSources' },
      ],
    },
    { name: 'endpoints', pages: categories.map((category) => ({ id: `developer-apis/${category}-api/summary`, name: category, category })) },
  ],
};

export const manuals: readonly Manual[] = [platform, developer];

export const pagesOf = (manual: Manual): readonly DocPage[] => manual.groups.flatMap((group) => group.pages);

export interface Place {
  readonly manual: Manual;
  readonly group: DocGroup;
  readonly page: DocPage;
  readonly before: DocPage | undefined;
  readonly after: DocPage | undefined;
}

/** Where in the manuals an address is, or null when it is no page of theirs. */
export function placeOf(pathname: string): Place | null {
  const id = pathname.replace(/^\/+|\/+$/g, '');
  for (const manual of manuals) {
    const pages = pagesOf(manual);
    const index = pages.findIndex((page) => page.id === id);
    const page = pages[index];
    const group = manual.groups.find((one) => one.pages.some((each) => each.id === id));
    if (page && group) return { manual, group, page, before: pages[index - 1], after: pages[index + 1] };
  }
  return null;
}

export const firstPage = (manual: Manual): string => `/${manual.groups[0]?.pages[0]?.id ?? ''}`;
