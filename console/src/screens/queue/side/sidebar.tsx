/** The review at the left of its queue: how far it is, its groups, what is shown, whether all is saved, and the way to submit. */
import { Link } from '@tanstack/react-router';
import { isUnderway, readTotals } from '~/data/queue/state/read-state.ts';
import type { By, QueueView, Show } from '~/data/queue/state/view.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { Progress } from '~/parts/drawings/progress.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { clock, number, weekday } from '~/text/format.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import { GroupList } from '~/screens/queue/list/group-list.tsx';
import { useQueueState } from '~/screens/queue/use-queue.ts';
import { SavedState } from './saved-state.tsx';
import styles from './sidebar.module.css';
import tools from '~/screens/queue/selection/tools.module.css';
import type { ReviewInfo } from '~/screens/queue/use-review-info.ts';

interface SidebarProps {
  readonly info: ReviewInfo | undefined;
  readonly view: QueueView;
  readonly onView: (parts: Partial<QueueView>) => void;
  readonly onSubmit: () => void;
  readonly onHelp: () => void;
  /** On a small screen: whether filter and groups are shown. */
  readonly areToolsOpen: boolean;
  readonly onTools: () => void;
}

const shows: readonly { readonly show: Show; readonly label: PlainTextKey }[] = [
  { show: 'todo', label: 'queue.showTodo' },
  { show: 'closer', label: 'queue.showCloser' },
  { show: 'new', label: 'queue.showNew' },
  { show: 'mine', label: 'queue.showMine' },
  { show: 'all', label: 'queue.showAll' },
];

export function Sidebar({ info, view, onView, onSubmit, onHelp, areToolsOpen, onTools }: SidebarProps) {
  const { total, left, decided, mine, drafts } = useQueueState(readTotals);
  const sectionCounts = useQueueState(({ rows }) => rows.sectionCounts);
  const isAway = useQueueState(({ saving }) => saving.phase === 'device');
  const isGoing = useQueueState(isUnderway);
  const countOf: Readonly<Record<Show, number | undefined>> = {
    todo: left,
    closer: sectionCounts.get('CLOSER')?.total ?? 0,
    new: sectionCounts.get('NEW')?.total ?? 0,
    mine,
    all: total,
  };
  return (
    <nav className={styles.sidebar} aria-label={text('queue.review')} data-tools={areToolsOpen || undefined}>
      <Link to="/home" className={styles.back}>
        <Icon name="left" />
        <span>{text('nav.home')}</span>
      </Link>
      <div className={styles.review}>
        <strong>{info?.displayName ?? text('queue.title')}</strong>
        {info?.dueAt === undefined ? null : <small>{text('queue.due', { date: `${weekday(info.dueAt)}, ${clock(info.dueAt)}` })}</small>}
        <Progress value={decided} max={total} label={text('queue.progress')} />
        <div className={styles.counts}>
          <span>{text('queue.decidedOf', { decided, total })}</span>
          <span>{text('queue.left', { left })}</span>
        </div>
      </div>
      <button type="button" className={tools.tools} aria-expanded={areToolsOpen} onClick={onTools}>
        <span>{text(shows.find(({ show }) => show === view.show)?.label ?? 'queue.show')}</span>
        <Icon name={areToolsOpen ? 'up' : 'down'} />
      </button>
      <div className={styles.groups}>
        <Segments<By>
          label={text('queue.groupBy')}
          value={view.by}
          onChange={(by) => onView({ by, group: '' })}
          options={[
            { value: 'app', label: text('queue.byApp') },
            { value: 'person', label: text('queue.byPerson') },
            { value: 'resource', label: text('queue.byResource') },
            { value: 'list', label: text('queue.byList') },
          ]}
        />
        {view.by === 'list' ? null : <GroupList view={view} onView={onView} />}
      </div>
      <div className={styles.shows}>
        <h2>{text('queue.show')}</h2>
        {shows.map(({ show, label }) => (
          <button key={show} type="button" className={styles.show} aria-pressed={view.show === show} onClick={() => onView({ show })}>
            <span>{text(label)}</span>
            <span>{countOf[show] === undefined ? null : number(countOf[show])}</span>
          </button>
        ))}
      </div>
      <div className={styles.foot}>
        <div className={styles.state}>
          <SavedState />
          <button type="button" className={styles.help} aria-label={text('queue.keys')} onClick={onHelp}>
            {text('queue.keysSign')}
          </button>
        </div>
        <div className={styles.submit}>
          <Button
            keys={isGoing ? undefined : 'mod+Enter'}
            busy={isGoing}
            disabledReason={drafts === 0 ? text('queue.nothingToSubmit') : isAway ? text('queue.submitOnlineReason') : undefined}
            onClick={onSubmit}
          >
            {isGoing
              ? text('queue.submitting', { count: drafts })
              : isAway
                ? text('queue.submitOnline')
                : text('queue.submit', { count: drafts })}
          </Button>
        </div>
      </div>
    </nav>
  );
}
