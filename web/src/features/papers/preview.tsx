// A paper, read in the page; the others beside it. Without one in the address it is the newest in the language on show.
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { messageOf } from '@/api/error';
import { useLanguage } from '@/i18n';
import { decodeId } from '@/lib/ids';
import { usePage } from '@/lib/page';
import { paperOf, paths } from '@/lib/paths';
import { holds, useSession } from '@/lib/session';
import { ButtonLink } from '@/ui/button';
import { Part } from '@/ui/part';
import { Empty, Failed, ProgressBar } from '@/ui/parts';
import { usePaperFile, usePapers, useDrafts, type Paper } from './api';
import { Facts, NoPapers } from './page';
import { PdfViewer } from './viewer/viewer';
import css from './papers.module.css';

export function Component() {
  const { t } = useTranslation();
  const [address] = useSearchParams();
  const asked = decodeId(address.get('id'));
  const language = useLanguage();
  const published = usePapers();
  const staff = holds(useSession().account, 'system.whitePaper');
  const unknown = published.data !== undefined && address.has('id') && !published.data.some(({ id }) => String(id) === asked);
  const drafts = useDrafts(unknown && staff);
  const papers = published.data ?? [];
  const draft = unknown ? drafts.data?.find(({ id }) => String(id) === asked) : undefined;
  const paper = address.has('id') ? (papers.find(({ id }) => String(id) === asked) ?? draft) : (papers.find((one) => one.language === language) ?? papers[0]);
  usePage(paper?.title ?? t('papers.preview'));

  if (published.error && !published.data) return <Notice><Failed message={messageOf(published.error)} onRetry={() => void published.refetch()} /></Notice>;
  if (published.isPending || (unknown && staff && drafts.isPending)) return <Notice><Waiting label={t('common.loading')} /></Notice>;
  if (!paper && papers.length === 0 && !address.has('id')) return <Notice><NoPapers /></Notice>;
  const listed = draft ? [draft, ...papers] : papers;
  return (
    <div className={css.reading}>
      <aside className={css.aside} aria-label={t('papers.preview')}>
        <h1 tabIndex={-1}>{t('papers.preview')}</h1>
        <nav aria-label={t('papers.list')}>
          <ul>
            {listed.map((one) => (
              <li key={one.id}>
                <Link to={paperOf(one.id)} aria-current={one.id === paper?.id ? 'page' : undefined}>
                  <strong>{one.title}</strong>
                  <Facts paper={one} />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <ButtonLink size="small" kind="text" to={paths.papers}>
          {t('papers.all')}
        </ButtonLink>
      </aside>
      {/* Page and zoom belong to one paper. */}
      {paper ? <Reader key={paper.id} paper={paper} /> : <Empty title={t('papers.unknown')} actions={<ButtonLink to={paths.papers}>{t('papers.all')}</ButtonLink>}>{t('papers.unknownText')}</Empty>}
    </div>
  );
}

const Notice = ({ children }: { children: React.ReactNode }) => {
  const { t } = useTranslation();
  return (
    <div className={css.notice}>
      <h1 className="visually-hidden" tabIndex={-1}>
        {t('papers.preview')}
      </h1>
      {children}
    </div>
  );
};

function Reader({ paper }: { paper: Paper }) {
  const { t } = useTranslation();
  const { data, error, refetch } = usePaperFile(paper.path);
  if (data) {
    return (
      <Part of={[data]}>
        <PdfViewer file={data} title={paper.title} />
      </Part>
    );
  }
  return <div className={css.notice}>{error ? <Failed message={messageOf(error)} onRetry={() => void refetch()} /> : <Waiting label={t('papers.loading')} />}</div>;
}

function Waiting({ label }: { label: string }) {
  return (
    <div className={css.waiting}>
      <ProgressBar percent={null} label={label} />
      <p>{label}</p>
    </div>
  );
}
