/** Checks of a review: that its items follow from its scope, that what was logged still stands, that all is decided, and what became of removals. */
import { LogFindings } from '~/app/reviews/log-findings.tsx';
import { sayRemovalSums } from '~/app/removals/removal-sums.ts';
import { sayEndedWithoutPerson } from '~/app/reviews/ended-without-person.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Icon, type IconName } from '~/parts/words/icon.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { errorMessage, useAct, useSend } from '~/data/act.ts';
import { count } from '~/data/count.ts';
import { call, type ReplyOf } from '~/data/query.ts';
import type { Progress } from '~/data/reviews/review.ts';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
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

/** Holds all events of a review against the log, a piece at a time. */
async function checkLog(accessReviewId: string) {
  const found = { events: 0, rows: 0, sentences: [] as string[] };
  for (let fromPosition: string | undefined = '0'; fromPosition !== undefined; ) {
    const { check, nextPosition }: ReplyOf<'WalkthroughService.CheckEvents'> = await call('WalkthroughService.CheckEvents', {
      accessReviewId,
      fromPosition,
    });
    found.events += count(check?.events);
    found.rows += count(check?.rows);
    found.sentences.push(...(check?.sentences ?? []));
    fromPosition = nextPosition;
  }
  return found;
}

export function Checks({ reviewId, progress }: { reviewId: string; progress: Progress | undefined }) {
  const replay = useAct('ReviewReplayService.Replay');
  const log = useSend({ mutationFn: checkLog });
  if (progress === undefined) {
    return <Skeleton rows={5} />;
  }
  const { counts, removals } = progress;
  const total = count(counts?.total);
  const decided = count(counts?.byPeople);
  const otherwise = sayEndedWithoutPerson(counts);
  const [denied, proven] = [count(removals?.total) - count(removals?.withdrawn), count(removals?.proven)];
  const isOpen = count(removals?.open) + count(removals?.held) > 0;
  const found = replay.data;
  const wrong = log.data?.sentences ?? [];
  const check = (): void => {
    replay.mutate({ accessReviewId: reviewId });
    log.mutate(reviewId);
  };
  return (
    <>
      <div className={styles.head}>
        <div>
          <h2>{text('evidence.checks')}</h2>
          <p className={styles.quiet}>{text('evidence.checksWhat')}</p>
        </div>
        <Button icon="sync" busy={replay.isPending || log.isPending} onClick={check}>
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
        {log.data === undefined ? null : (
          <Check
            icon={wrong.length === 0 ? 'check' : 'cross'}
            kind={wrong.length === 0 ? 'ok' : 'no'}
            title={text(wrong.length === 0 ? 'evidence.asLogged' : 'evidence.notAsLogged')}
            hint={text('evidence.loggedHint', { events: log.data.events, rows: log.data.rows })}
            figure={wrong.length === 0 ? '' : number(wrong.length)}
          />
        )}
        <Check
          icon={decided === total ? 'check' : 'clock'}
          kind={decided === total ? 'ok' : 'warn'}
          title={text('evidence.decided')}
          hint={otherwise.length === 0 ? text('evidence.decidedAll') : text('evidence.decidedHint', { others: otherwise.join(', ') })}
          figure={text('review.of', { part: number(decided), whole: number(total) })}
        />
        <Check
          icon={isOpen ? 'clock' : 'check'}
          kind={isOpen ? 'warn' : 'ok'}
          title={text('review.removals')}
          hint={
            denied === 0 ? text('evidence.nothingDenied') : text('evidence.removalsHint', { parts: sayRemovalSums(removals).join(', ') })
          }
          figure={text('review.of', { part: number(proven), whole: number(denied) })}
        />
      </ul>
      <LogFindings reviewId={reviewId} sentences={wrong} />
      {log.isError ? <Note kind="fault">{errorMessage(log.error)}</Note> : null}
      {replay.isError ? <Note kind="fault">{errorMessage(replay.error)}</Note> : null}
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
