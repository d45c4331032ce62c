// The stage with everything around it: controls and legend at the left, the selected node at the right, time below.
import { Search, SquareTerminal } from 'lucide-react';
import { useCallback, useMemo, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { count } from '@/lib/format';
import { useFullScreen } from '@/lib/full-screen';
import { queryWithText } from '@/lib/query-link';
import { useTheme } from '@/lib/theme';
import { ButtonLink, IconButton } from '@/ui/button';
import { Part } from '@/ui/part';
import { Empty, ProgressBar } from '@/ui/parts';
import { formatTime } from '@/lib/time';
import { place } from '../layout/place';
import { groupsOf, leftOutOf, linkPairs, namesOf, nameOf, timelineOf, visibleNodes, withinSpan } from '../look';
import type { Model, Queries } from '../model';
import type { Graph } from '../rows';
import type { Scene, Stage } from '../stage/stage';
import { StageView } from '../stage/view';
import { Legend, useKindName } from './legend';
import { Panel } from './panel';
import { NodeTable } from './table';
import { Timeline } from './timeline';
import { Tools } from './tools';
import css from './workbench.module.css';

interface Props {
  graph: Graph;
  /** It is the one of other values, until the new one is here. */
  stale: boolean;
  model: Model;
  queries: Queries;
  controls: ReactNode;
}

const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

export function Workbench({ graph, stale, model, queries, controls }: Props) {
  const { t } = useTranslation();
  const title = t(`models.model.${model.id}.title`);
  const root = useRef<HTMLDivElement>(null);
  const full = useFullScreen(root);
  const [stage, setStage] = useState<Stage | null>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [chosenUntil, setUntil] = useState<number | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [playing, setPlaying] = useState(() => model.live === true && !still());
  const [spinning, setSpinning] = useState(() => model.layout === 'force' && !still());
  const [table, setTable] = useState(false);
  const [hubs, setHubs] = useState(model.hubs === true);

  const groups = useMemo(() => groupsOf(graph, model, hubs), [graph, model, hubs]);
  const span = useMemo(() => timelineOf(graph), [graph]);
  const until = withinSpan(span, chosenUntil);
  const visible = useMemo(() => visibleNodes(graph, groups, hidden, until), [graph, groups, hidden, until]);
  const scene = useScene(graph, model, groups);
  const name = useKindName(model);
  const selected = useMemo(() => graph.nodes.findIndex(({ id }) => id === chosen), [graph, chosen]);
  const node = graph.nodes[selected];
  const links = useMemo(() => graph.links.filter(({ source, target }) => source === selected || target === selected).length, [graph, selected]);
  const select = useCallback((index: number) => setChosen(graph.nodes[index]?.id ?? null), [graph]);
  const spin = (on: boolean) => setSpinning(on);
  const shownCount = visible.reduce((sum, one) => sum + one, 0);
  const leftOut = leftOutOf(graph);
  const sizesOf = (nodes: number, links: number) => ({ nodes: t('models.nodes', { count: nodes, nodes: count(nodes) }), links: t('models.links', { count: links, links: count(links) }) });
  const sizes = sizesOf(shownCount, graph.links.length);

  if (graph.nodes.length === 0) {
    return (
      <div className={css.empty} aria-busy={stale}>
        {controls && <div className={css.box}>{controls}</div>}
        <Empty title={t('models.none')}>{t('models.noneText')}</Empty>
      </div>
    );
  }
  return (
    <div ref={root} className={css.bench} data-nodes={graph.nodes.length} data-links={graph.links.length} aria-busy={stale}>
      {stale && (
        <div className={css.running}>
          <ProgressBar percent={null} label={t('models.running')} />
        </div>
      )}
      <div className={css.room}>
        <Part of={[scene, table]}>
          {table ? (
            <NodeTable graph={graph} groups={groups} model={model} visible={visible} onSelect={select} />
          ) : (
            <StageView scene={scene} visible={visible} selected={selected} spinning={spinning} label={t('models.stage', { title, ...sizes })} nameOf={(index) => nameOf(graph.nodes[index])} onSelect={select} onStage={setStage} onSpin={spin} onPlay={() => setPlaying(!playing)} />
          )}
        </Part>
      </div>
      <div className={css.left}>
        {controls && <div className={css.box}>{controls}</div>}
        <div className={css.box}>
          <Find graph={graph} onFind={select} />
          <Legend
            groups={groups}
            model={model}
            hubs={hubs}
            hidden={hidden}
            onToggle={(key) => setHidden(toggled(hidden, key))}
            onHubs={(next) => {
              setHubs(next);
              setHidden(new Set());
            }}
          />
        </div>
      </div>
      {node && (
        <div className={css.right}>
          <Part of={[node]}>
            <Panel node={node} group={name(node.kind)} links={links} model={model} onClose={() => setChosen(null)} />
          </Part>
        </div>
      )}
      <div className={css.bottom}>
        <div className={css.facts}>
          <p>
            {t('models.shown', sizes)}
            {leftOut === null ? null : ` ${t(`models.leftOut.${leftOut}`, sizesOf(graph.nodesLeftOut, graph.linksLeftOut))}`}
          </p>
          <OpenQueries queries={queries} />
          <Tools stage={stage} title={title} spinning={spinning} onSpin={spin} table={table} onTable={setTable} full={full} />
        </div>
        {span && <Timeline span={span} at={until} onChange={setUntil} playing={playing} onPlay={setPlaying} />}
      </div>
    </div>
  );
}

function toggled(hidden: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(hidden);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** What the stage draws, in the colours of the theme. */
function useScene(graph: Graph, model: Model, groups: ReturnType<typeof groupsOf>): Scene {
  const theme = useTheme();
  const name = useKindName(model);
  const placed = useMemo(() => {
    const days = (timelineOf(graph)?.to ?? 0) - (timelineOf(graph)?.from ?? 0) > 2 * 86_400_000;
    return place(graph, model.layout, model.kinds, { kind: name, moment: (ms) => (days ? formatTime(ms).slice(5, 16) : formatTime(ms).slice(11, model.live ? 19 : 16)) });
  }, [graph, model, name]);
  const links = useMemo(() => linkPairs(graph), [graph]);
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const colour = (property: string) => style.getPropertyValue(property).trim();
    return {
      // The theme decides what the properties say.
      theme,
      ...placed,
      marks: model.layout === 'force' ? namesOf(graph, placed) : placed.marks,
      colours: groups.of,
      palette: groups.groups.map((group) => colour(group.colour)),
      links,
      line: colour('--line2'),
      ink: colour('--t1'),
      back: colour('--canvas'),
      steady: model.live === true,
    };
  }, [graph, model, groups, placed, links, theme]);
}

/** The rows of the first text are the nodes on the stage. */
function OpenQueries({ queries }: { queries: Queries }) {
  const { t } = useTranslation();
  const icon = <SquareTerminal size={15} strokeWidth={1.6} aria-hidden />;
  if (queries.kind === 'GRAPH') {
    return (
      <ButtonLink size="small" to={queryWithText('GRAPH', `${queries.nodes}\n`)} icon={icon}>
        {t('models.openQuery')}
      </ButtonLink>
    );
  }
  return (
    <span className={css.queries}>
      <ButtonLink size="small" to={queryWithText('SQL', `${queries.nodes}\n`)} icon={icon}>
        {t('models.openNodes')}
      </ButtonLink>
      {queries.links && (
        <ButtonLink size="small" to={queryWithText('SQL', `${queries.links}\n`)} icon={icon}>
          {t('models.openLinks')}
        </ButtonLink>
      )}
    </span>
  );
}

/** Selects the node with an address or a name. */
function Find({ graph, onFind }: { graph: Graph; onFind: (node: number) => void }) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const [missed, setMissed] = useState(false);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const wanted = words.trim().toLowerCase();
    if (wanted === '') return;
    const found = graph.nodes.findIndex(({ id, name }) => id.toLowerCase().startsWith(wanted) || name.toLowerCase().includes(wanted));
    setMissed(found < 0);
    if (found >= 0) onFind(found);
  };
  return (
    <form className={css.find} role="search" onSubmit={submit}>
      <input type="search" aria-label={t('models.find')} placeholder={t('models.find')} spellCheck={false} value={words} onChange={({ target }) => setWords(target.value)} />
      <IconButton type="submit" size="small" label={t('models.find')} icon={<Search size={15} strokeWidth={1.6} />} />
      {missed && <p role="status">{t('models.notFound')}</p>}
    </form>
  );
}
