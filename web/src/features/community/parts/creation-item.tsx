// A creation in a list of the community, with its picture and its menu.
import { ChartColumn, CodeXml, LayoutDashboard, Layers, Waypoints } from 'lucide-react';
import type { Card } from '@/api/creations';
import { CreationRow } from '@/ui/creation-row';
import type { MenuItem } from '@/ui/menu';
import { Thumbnail } from '@/viz/thumbnail';

interface CreationItemProps {
  card: Card;
  menu: MenuItem[];
  own?: boolean;
  onFavorite?: (favorited: boolean) => void;
}

export function CreationItem({ card, ...rest }: CreationItemProps) {
  return <CreationRow card={card} preview={<Preview card={card} />} {...rest} />;
}

const icon = { size: 22, strokeWidth: 1.4 } as const;

function Preview({ card }: { card: Card }) {
  if (card.kind === 'dashboard') return card.items ? <Thumbnail visualizationId={card.previewId} dashboardId={card.id}><LayoutDashboard {...icon} /></Thumbnail> : <LayoutDashboard {...icon} />;
  if (card.kind === 'visualization') return card.queryId ? <Thumbnail visualizationId={card.id} queryId={card.queryId}><ChartColumn {...icon} /></Thumbnail> : <ChartColumn {...icon} />;
  if (card.kind === 'query') return card.lastRunTime ? <Thumbnail queryId={card.id}><CodeXml {...icon} /></Thumbnail> : <CodeXml {...icon} />;
  return card.kind === 'project' ? <Layers {...icon} /> : <Waypoints {...icon} />;
}
