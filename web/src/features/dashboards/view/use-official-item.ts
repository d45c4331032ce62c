// For administrators: the way onto the official page and off it, in the menu of a dashboard.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { holds, useSession } from '@/lib/session';
import type { MenuItem } from '@/ui/menu';
import { notify } from '@/ui/notices';
import { dashboardKey, setOfficial, type DashboardView, type Target } from '../api';

export function useOfficialItem(view: DashboardView, target: Target): MenuItem[] {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { account } = useSession();
  const change = useMutation({
    mutationFn: (official: boolean) => setOfficial(view.id, official),
    onSuccess: async (official) => {
      notify.success(t(official ? 'dashboards.nowOfficial' : 'dashboards.notOfficial'));
      client.setQueryData<DashboardView>(dashboardKey(target), (now) => now && { ...now, official });
      await client.invalidateQueries({ queryKey: ['official'] });
    },
  });
  // Only what everybody reads can be official.
  if (!holds(account, 'system.official') || !(view.official || view.visibility === 'public')) return [];
  return [{ key: 'official', label: t(view.official ? 'dashboards.takeOfficial' : 'dashboards.makeOfficial'), apart: true, onSelect: () => change.mutate(!view.official) }];
}
