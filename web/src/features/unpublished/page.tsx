// Blog and pricing: pages that the menu names and whose content is not published yet.
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/parts';

export function Component() {
  const { t } = useTranslation();
  const title = t(useLocation().pathname === paths.blog ? 'shell.nav.blog' : 'shell.nav.pricing');
  usePage(title);
  return (
    <Empty
      title={<h1>{title}</h1>}
      actions={
        <ButtonLink to={paths.discover} kind="primary">
          {t('shell.nav.discover')}
        </ButtonLink>
      }
    >
      {t('shell.unpublished')}
    </Empty>
  );
}
