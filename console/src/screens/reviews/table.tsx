/** The reviews as one table, group by group, each with the way to its next page. */
import { useNavigate } from '@tanstack/react-router';
import { sayEndedWithoutPerson } from '~/app/reviews/ended-without-person.ts';
import { StageDot } from '~/app/reviews/stage-dot.tsx';
import { count } from '~/data/count.ts';
import { type NameSince, useNamesSince } from '~/data/names-since.ts';
import { reviewPlace, type Stage, reviewStage } from '~/data/reviews/review.ts';
import { Progress } from '~/parts/drawings/progress.tsx';
import { Tooltip } from '~/parts/over/tooltip.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Initials } from '~/parts/words/initials.tsx';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { Due } from './due.tsx';
import type { GroupId, ReviewLine } from './groups.ts';
import { listRoute, type ListSearch } from './route.tsx';
import styles from './table.module.css';
import type { ReadGroup } from './use-groups.ts';

interface ReviewTableProps {
  readonly groups: readonly ReadGroup[];
  readonly counts: Readonly<Record<GroupId, number>> | undefined;
  /** True if all groups are shown, each with its name. */
  readonly isWhole: boolean;
}

const stageOfLine = ({ state, dueAt }: ReviewLine): Stage =>
  reviewStage({ ...(state === undefined ? {} : { state }), ...(dueAt === undefined ? {} : { completionDate: dueAt }) });

export function ReviewTable({ groups, counts, isWhole }: ReviewTableProps) {
  const search = listRoute.useSearch();
  const navigate = useNavigate();
  // Owners of closed reviews are named as they were then.
  const since = useNamesSince(groups.flatMap(({ lines }) => lines.flatMap(({ owners = [] }) => owners.map(({ userId }) => userId))));
  const shown = groups.filter(({ lines }) => lines.length > 0);
  /** Orders by a column, or once more as it was: the newest first. */
  const by = (sort: NonNullable<ListSearch['sort']>) => ({
    isSorted: search.sort === sort ? ('ascending' as const) : (false as const),
    onSort: () => void navigate({ to: '/reviews', search: { ...search, sort: search.sort === sort ? undefined : sort }, replace: true }),
  });
  return (
    <Table
      label={text('nav.reviews')}
      rows={shown.flatMap(({ lines }) => lines)}
      groups={shown.map(({ group: { id, label }, lines, pages }) => ({
        id,
        rows: lines,
        head: isWhole ? (
          <>
            {text(label)} <span>{counts === undefined ? null : number(counts[id])}</span>
          </>
        ) : undefined,
        foot: pages.hasNextPage ? <Pages query={pages} /> : undefined,
      }))}
      rowKey={({ accessReviewId }) => accessReviewId ?? ''}
      rowLink={(line) => reviewPlace(line.accessReviewId ?? '', stageOfLine(line))}
      rowDetail={({ description }) => (description ? <small className={styles.words}>{description}</small> : null)}
      empty={<Empty icon="filter" title={text('reviews.noneMatches')} />}
      columns={(column) => [
        column(
          'name',
          text('reviews.review'),
          (line) => (
            <>
              <b className={styles.name}>{line.displayName || text('reviews.unnamed')}</b>
              {line.isHeld ? (
                <>
                  {' '}
                  <Chip>{text('holds.held')}</Chip>
                </>
              ) : null}
            </>
          ),
          { least: 'words', sort: by('name') },
        ),
        column('state', text('reviews.state'), (line) => <StageDot stage={stageOfLine(line)} />),
        column('decided', text('reviews.decided'), (line) => <Decided line={line} />, { least: 'words', narrow: 'second' }),
        column('waiting', text('reviews.waitingFor'), (line) => <Waiting line={line} />, { narrow: 'hide', isExtra: true }),
        column('due', text('reviews.due'), (line) => <Due line={line} stage={stageOfLine(line)} />, { narrow: 'second', sort: by('due') }),
        column('owner', text('reviews.owner'), (line) => <Owners line={line} since={since} />, { narrow: 'hide', isExtra: true }),
      ]}
    />
  );
}

function Decided({ line: { counts, ...line } }: { line: ReviewLine }) {
  const stage = stageOfLine(line);
  const total = count(counts?.total);
  const decided = count(counts?.byPeople);
  const denied = count(counts?.deniedByPeople);
  const isOpen = stage === 'running' || stage === 'late';
  const otherwise = isOpen || stage === 'closed' ? sayEndedWithoutPerson(counts) : [];
  return (
    <>
      {isOpen && total > 0 ? <Progress value={decided} max={total} denied={denied} label={text('reviews.decided')} /> : null}
      {stage === 'draft' ? null : (
        <small>
          {isOpen || stage === 'closed'
            ? text(denied > 0 ? 'reviews.countsDenied' : 'reviews.counts', {
                decided: number(decided),
                total: number(total),
                denied: number(denied),
              })
            : text('reviews.itemsPrepared', { count: total })}
        </small>
      )}
      {otherwise.length === 0 ? null : <small>{otherwise.join(', ')}</small>}
    </>
  );
}

function Waiting({ line }: { line: ReviewLine }) {
  const stage = stageOfLine(line);
  const left = count(line.counts?.undecided);
  const unassigned = count(line.unassigned);
  if (unassigned > 0 && stage !== 'closed') {
    return <span className={styles.no}>{text('reviews.nobodyFor', { count: unassigned })}</span>;
  }
  return unassigned === 0 && (stage === 'running' || stage === 'late') ? (
    <>
      {text('reviews.left', { count: left })}
      {left > 0 ? <small>{text('reviews.waitingPeople', { count: count(line.waitingPeople) })}</small> : null}
    </>
  ) : null;
}

function Owners({ line: { owners = [] }, since }: { line: ReviewLine; since: NameSince }) {
  return owners.slice(0, 2).map(({ userId, displayName: then = '' }) => {
    const displayName = since(userId, then);
    return (
      <Tooltip key={userId} text={displayName}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the name is also for those who have no pointer */}
        <span role="img" aria-label={displayName} tabIndex={0}>
          <Initials name={then} />
        </span>
      </Tooltip>
    );
  });
}
