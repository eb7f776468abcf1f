/** The review at the left of its queue: how far it is, its groups, what is shown, whether all is saved, and the way to submit. */
import { Link } from '@tanstack/react-router';
import type { Submission } from '../../data/submission.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Progress } from '../../parts/progress.tsx';
import { Segments } from '../../parts/segments.tsx';
import { number, weekday } from '../../text/format.ts';
import { type PlainTextKey, text } from '../../text/text.ts';
import type { By, QueueView, Show } from './address.ts';
import { GroupList } from './group-list.tsx';
import type { QueueModel } from './model.ts';
import { SavedState } from './saved-state.tsx';
import styles from './sidebar.module.css';
import type { ReviewInfo } from './use-review-info.ts';

interface SidebarProps {
  readonly model: QueueModel;
  readonly submission: Submission;
  readonly info: ReviewInfo | undefined;
  readonly view: QueueView;
  readonly onView: (view: QueueView) => void;
  readonly onSubmit: () => void;
  readonly onHelp: () => void;
}

const shows: readonly { readonly show: Show; readonly label: PlainTextKey }[] = [
  { show: 'todo', label: 'queue.showTodo' },
  { show: 'closer', label: 'queue.showCloser' },
  { show: 'new', label: 'queue.showNew' },
  { show: 'mine', label: 'queue.showMine' },
  { show: 'all', label: 'queue.showAll' },
];

export function Sidebar({ model, submission, info, view, onView, onSubmit, onHelp }: SidebarProps) {
  const { total, left, decided, drafts } = model.totals();
  const countOf: Readonly<Record<Show, number>> = {
    todo: left,
    closer: model.rows.sectionCounts.get('CLOSER')?.total ?? 0,
    new: model.rows.sectionCounts.get('NEW')?.total ?? 0,
    mine: decided,
    all: total,
  };
  const isAway = model.box.saving.state === 'device';
  return (
    <nav className={styles.sidebar} aria-label={text('queue.review')}>
      <Link to="/home" className={styles.back}>
        <Icon name="left" />
        <span>{text('nav.home')}</span>
      </Link>
      <div className={styles.review}>
        <strong>{info?.displayName ?? text('queue.title')}</strong>
        {info?.dueAt === undefined ? null : <small>{text('queue.due', { date: weekday(info.dueAt) })}</small>}
        <Progress value={decided} max={total} label={text('queue.progress')} />
        <div className={styles.counts}>
          <span>{text('queue.decidedOf', { decided, total })}</span>
          <span>{text('queue.left', { left })}</span>
        </div>
      </div>
      <div className={styles.groups}>
        <Segments<By>
          label={text('queue.groupBy')}
          value={view.by}
          onChange={(by) => onView({ ...view, by, group: '' })}
          options={[
            { value: 'app', label: text('queue.byApp') },
            { value: 'person', label: text('queue.byPerson') },
            { value: 'resource', label: text('queue.byResource') },
            { value: 'list', label: text('queue.byList') },
          ]}
        />
        {view.by === 'list' ? null : <GroupList model={model} view={view} onView={onView} />}
      </div>
      <div className={styles.shows}>
        <h2>{text('queue.show')}</h2>
        {shows.map(({ show, label }) => (
          <button
            key={show}
            type="button"
            className={styles.show}
            aria-pressed={view.show === show}
            onClick={() => onView({ ...view, show })}
          >
            <span>{text(label)}</span>
            <span>{number(countOf[show])}</span>
          </button>
        ))}
      </div>
      <div className={styles.foot}>
        <div className={styles.state}>
          <SavedState box={model.box} />
          <button type="button" className={styles.help} aria-label={text('queue.keys')} onClick={onHelp}>
            {text('queue.keysSign')}
          </button>
        </div>
        <div className={styles.submit}>
          <Button
            keys={submission.isUnderway ? undefined : 'mod+Enter'}
            busy={submission.isUnderway}
            disabledReason={drafts === 0 ? text('queue.nothingToSubmit') : isAway ? text('queue.submitOnlineReason') : undefined}
            onClick={onSubmit}
          >
            {submission.isUnderway
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
