// The published papers: found by words of the title and by language, read in the page or saved.
import { Segmented } from 'antd';
import { BookOpenText, Download, FileText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { messageOf } from '@/api/error';
import { bytes } from '@/lib/format';
import { usePage } from '@/lib/page';
import { readPaging, writePaging, type Paging } from '@/lib/paging';
import { paperOf, paths } from '@/lib/paths';
import { holds, useSession } from '@/lib/session';
import { dayOf } from '@/lib/time';
import { Button, ButtonLink } from '@/ui/button';
import { useInPage } from '@/ui/in-page';
import { Pages } from '@/ui/pages';
import { Beyond, Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import { SearchInput } from '@/ui/search-text';
import { savePaper, usePapers, type Paper } from './api';
import css from './papers.module.css';

const languages = ['all', 'en', 'zh'] as const;
type Language = (typeof languages)[number];

export function Component() {
  const { t } = useTranslation();
  usePage(t('papers.title'));
  const { data, error, refetch } = usePapers();
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{t('papers.title')}</h1>
        <p>{t('papers.lead')}</p>
      </header>
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <div role="status" aria-label={t('common.loading')} className={css.list}>
          {Array.from({ length: 4 }, (_, at) => (
            <Skeleton key={at} height="0.9rem" />
          ))}
        </div>
      ) : data.length === 0 ? (
        <NoPapers />
      ) : (
        <Papers papers={data} />
      )}
    </div>
  );
}

/** Nothing is published; who may publish is told where. */
export function NoPapers() {
  const { t } = useTranslation();
  const staff = holds(useSession().account, 'system.whitePaper');
  return (
    <Empty
      title={t('papers.none')}
      actions={
        <>
          {staff && (
            <ButtonLink kind="primary" to="/system/white-paper">
              {t('papers.publish')}
            </ButtonLink>
          )}
          <ButtonLink to={paths.docs}>{t('shell.nav.docs')}</ButtonLink>
        </>
      }
    >
      {t('papers.noneText')}
    </Empty>
  );
}

function Papers({ papers }: { papers: readonly Paper[] }) {
  const { t } = useTranslation();
  const [address, setAddress] = useInPage();
  const words = (address.get('search') ?? '').slice(0, 100);
  const language: Language = languages.find((one) => one === address.get('language')) ?? 'all';
  const paging = readPaging(address);
  const show = (next: { search?: string; language?: Language; paging?: Paging }, replace = false) => {
    const search = next.search ?? words;
    const chosen = next.language ?? language;
    setAddress({ ...(search === '' ? {} : { search }), ...(chosen === 'all' ? {} : { language: chosen }), ...writePaging(next.paging ?? { page: 1, size: paging.size }) }, { replace });
  };
  const found = papers.filter((paper) => (language === 'all' || paper.language === language) && paper.title.toLowerCase().includes(words.trim().toLowerCase()));
  const from = (paging.page - 1) * paging.size;
  return (
    <>
      <div className={css.filters}>
        <SearchInput className={css.search} label={t('papers.search')} value={words} maxLength={100} onChange={(search) => show({ search }, true)} />
        <Segmented<Language> aria-label={t('papers.language')} value={language} onChange={(next) => show({ language: next })} options={languages.map((one) => ({ value: one, label: t(`papers.languages.${one}`) }))} />
      </div>
      {found.length === 0 ? (
        <Empty title={t('common.noData')} actions={<Button onClick={() => show({ search: '', language: 'all' })}>{t('papers.showAll')}</Button>}>
          {t('papers.noneFits')}
        </Empty>
      ) : from >= found.length ? (
        <Beyond onFirst={() => show({})} />
      ) : (
        <ul className={css.list}>
          {found.slice(from, from + paging.size).map((paper) => (
            <li key={paper.id} className={css.card}>
              <FileText size={28} strokeWidth={1.3} aria-hidden />
              <div>
                <h2>
                  <Link to={paperOf(paper.id)}>{paper.title}</Link>
                </h2>
                <Facts paper={paper} />
              </div>
              <div className={css.actions}>
                <ButtonLink size="small" kind="primary" to={paperOf(paper.id)} icon={<BookOpenText size={15} strokeWidth={1.6} aria-hidden />}>
                  {t('papers.read')}
                </ButtonLink>
                <Button size="small" icon={<Download size={15} strokeWidth={1.6} aria-hidden />} aria-label={t('papers.saveOf', { title: paper.title })} onClick={() => void savePaper(paper).catch(() => undefined)}>
                  {t('papers.save')}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <Pages paging={paging} total={found.length} onChange={(next) => show({ paging: next })} />
    </>
  );
}

/** Language, size, when and by whom. */
export function Facts({ paper }: { paper: Paper }) {
  const { t } = useTranslation();
  return (
    <p className={css.facts}>
      <Tag>{t(`papers.languages.${paper.language === 'zh' ? 'zh' : 'en'}`)}</Tag>
      <span>{bytes(paper.size)}</span>
      <span>{paper.publishedAt ? t('papers.published', { day: dayOf(paper.publishedAt) }) : t('papers.draft')}</span>
      <span>{t('papers.by', { name: paper.createdBy })}</span>
    </p>
  );
}
