// The nodes as a table: the same rows for those who do not see the stage, or want to read them.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { count, shortHex } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { Button } from '@/ui/button';
import type { Groups } from '../look';
import type { Model } from '../model';
import type { Graph } from '../rows';
import { addressPattern } from '../values';
import { useGroupName } from './legend';
import { sizeText } from './panel';
import css from './table.module.css';

interface Props {
  graph: Graph;
  groups: Groups;
  model: Model;
  visible: Uint8Array;
  onSelect: (node: number) => void;
}

const PAGE = 100;

export function NodeTable({ graph, groups, model, visible, onSelect }: Props) {
  const { t } = useTranslation();
  const name = useGroupName(model);
  const [shown, setShown] = useState(PAGE);
  const rows = graph.nodes.map((_, index) => index).filter((index) => visible[index] === 1);
  return (
    <div className={css.scroll}>
      <table>
        <caption>{t('models.tableOf', { count: rows.length })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('models.fact.node')}</th>
            <th scope="col">{t('models.fact.kind')}</th>
            <th scope="col">{t(`models.model.${model.id}.size`)}</th>
            <th scope="col">{t('models.fact.at')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((index) => {
            const node = graph.nodes[index];
            if (!node) return null;
            return (
              <tr key={index}>
                <th scope="row">
                  <button type="button" onClick={() => onSelect(index)}>
                    {node.name || (addressPattern.test(node.id) ? shortHex(node.id) : node.id)}
                  </button>
                </th>
                <td>{name(groups.groups[groups.of[index] ?? 0])}</td>
                <td>{sizeText(node.size, model.unit)}</td>
                <td>{node.at === null ? '–' : formatTime(node.at)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length > shown && (
        <Button size="small" onClick={() => setShown(shown + PAGE)}>
          {t('models.more', { count: count(rows.length - shown) })}
        </Button>
      )}
    </div>
  );
}
