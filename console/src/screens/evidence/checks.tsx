/** What can be checked of a review: that its items follow from its scope, that all is decided, and what became of removals. */
import { Button } from '../../parts/button.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Note } from '../../parts/note.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { messageOf, useAct } from '../../data/act.ts';
import { count } from '../../data/count.ts';
import type { Progress } from '../../data/review.ts';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './evidence.module.css';

interface CheckProps {
  readonly icon: IconName;
  readonly kind: 'ok' | 'no' | 'warn';
  readonly title: string;
  readonly hint: string;
  readonly figure: string;
}

function Check({ icon, kind, title, hint, figure }: CheckProps) {
  return (
    <li className={styles[kind]}>
      <Icon name={icon} />
      <div>
        <strong>{title}</strong>
        <small>{hint}</small>
      </div>
      <span>{figure}</span>
    </li>
  );
}

export function Checks({ reviewId, progress }: { reviewId: string; progress: Progress | undefined }) {
  const replay = useAct('ReviewReplayService.Replay');
  if (progress === undefined) {
    return <Skeleton rows={5} />;
  }
  const { counts, removals } = progress;
  const total = count(counts?.total);
  const decided = count(counts?.certified) + count(counts?.revoked);
  const [denied, proven, open] = [count(removals?.total), count(removals?.proven), count(removals?.open)];
  const found = replay.data;
  return (
    <>
      <div className={styles.head}>
        <div>
          <h2>{text('evidence.checks')}</h2>
          <p className={styles.quiet}>{text('evidence.checksWhat')}</p>
        </div>
        <Button icon="sync" busy={replay.isPending} onClick={() => replay.mutate({ accessReviewId: reviewId })}>
          {text(found === undefined ? 'evidence.check' : 'evidence.checkAgain')}
        </Button>
      </div>
      <ul className={styles.checks}>
        {found === undefined ? null : (
          <Check
            icon={found.matches ? 'check' : 'cross'}
            kind={found.matches ? 'ok' : 'no'}
            title={text(found.matches ? 'evidence.sameItems' : 'evidence.otherItems')}
            hint={text('evidence.sameItemsHint')}
            figure={text('review.of', {
              part: number(count(found.items) - count(found.differenceCount)),
              whole: number(count(found.items)),
            })}
          />
        )}
        <Check
          icon={decided === total ? 'check' : 'clock'}
          kind={decided === total ? 'ok' : 'warn'}
          title={text('evidence.decided')}
          hint={text('evidence.decidedHint', { cancelled: count(counts?.cancelled), without: count(counts?.withoutOutcome) })}
          figure={text('review.of', { part: number(decided), whole: number(total) })}
        />
        <Check
          icon={open === 0 ? 'check' : 'clock'}
          kind={open === 0 ? 'ok' : 'warn'}
          title={text('review.removals')}
          hint={text('evidence.removalsHint', { proven, open })}
          figure={text('review.of', { part: number(proven), whole: number(denied) })}
        />
      </ul>
      {replay.isError ? <Note kind="fault">{messageOf(replay.error)}</Note> : null}
      {found === undefined ? null : (
        <dl className={styles.hashes}>
          <dt>{text('evidence.inputHash')}</dt>
          <dd>
            <code>{found.inputHash}</code>
          </dd>
          <dt>{text('evidence.itemsHash')}</dt>
          <dd>
            <code>{found.itemsHash}</code>
          </dd>
        </dl>
      )}
    </>
  );
}
