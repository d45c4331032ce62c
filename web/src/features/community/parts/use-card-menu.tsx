// What can be done with a creation from a list.
import { useQueryClient } from '@tanstack/react-query';
import { GitFork, Link2, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { fork, pageOf, type Card } from '@/api/creations';
import { loginPath } from '@/lib/guard';
import { creatorOf } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { useCopy } from '@/ui/copy';
import type { MenuItem } from '@/ui/menu';
import { notify } from '@/ui/notices';

const icon = { size: 16, strokeWidth: 1.6 } as const;

export function useCardMenu(): (card: Card) => MenuItem[] {
  const { t } = useTranslation();
  const copy = useCopy();
  const { token } = useSession();
  const navigate = useNavigate();
  const location = useLocation();
  const client = useQueryClient();

  const copyOf = async (kind: 'dashboard' | 'query', id: string) => {
    if (token === null) return navigate(loginPath(location));
    const copy = await fork(kind, id);
    notify.success(t('community.forked'));
    void client.invalidateQueries({ queryKey: ['cards'] });
    return navigate(copy);
  };
  const copyLink = async (page: string) => {
    if (await copy(globalThis.location.origin + page)) notify.success(t('community.linkCopied'));
  };

  return (card) => {
    const page = pageOf(card);
    const items: MenuItem[] = [];
    if (card.kind === 'dashboard' || card.kind === 'query') {
      const { kind, id } = card;
      // A refusal is shown by the popup.
      items.push({ key: 'fork', label: t('community.fork'), icon: <GitFork {...icon} />, onSelect: () => void Promise.resolve(copyOf(kind, id)).catch(() => undefined) });
    }
    if (page !== null && card.visibility === 'public') {
      items.push({ key: 'link', label: t('community.copyLink'), icon: <Link2 {...icon} />, onSelect: () => void copyLink(page) });
    }
    items.push({ key: 'creator', label: t('community.moreOf', { name: card.userName }), icon: <UserRound {...icon} />, onSelect: () => void navigate(creatorOf(card.userName)) });
    return items;
  };
}
