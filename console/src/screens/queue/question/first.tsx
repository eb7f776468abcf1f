/** A task that somebody else decided, or that is gone: what counts, and beside it what one meant. */
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Mark } from '~/parts/words/mark.tsx';
import { clock } from '~/text/format.ts';
import { Rich } from '~/text/rich.tsx';
import { nameBy } from '~/text/name-by.ts';
import { text } from '~/text/text.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import styles from './detail.module.css';
import { holderOf, draftMark, nameOf, standingOf } from '~/data/queue/state/standing.ts';
import { markWord } from '~/screens/queue/list/words.ts';

interface FirstProps {
  readonly row: QueueRow;
  readonly onDone: () => void;
}

export function First({ row, onDone }: FirstProps) {
  const { store, actions } = useQueue();
  const draft = useQueueState(({ drafts }) => drafts.get(row.taskId));
  const { mark, kind } = standingOf(row, draft, store.state.me);
  // What was decided first is one's own where a change of it was refused.
  const isOwn = row.state === 'CLOSED' && draft?.amend === true;
  const name = isOwn ? text('queue.you') : nameBy(row.decidedBy, row.decidedIssuer) || text('queue.somebody');
  const values = { name, who: holderOf(row), right: nameOf(row), outcome: markWord(mark) };
  const isOpen = row.state !== 'CLOSED';
  return (
    <>
      <h2 className={styles.question} tabIndex={-1} data-question="">
        {isOpen ? (
          <Rich id="queue.notYours" values={{ who: holderOf(row), right: nameOf(row) }} />
        ) : isOwn ? (
          text(mark === 'denied' ? 'queue.youDenied' : 'queue.youCertified')
        ) : (
          <Rich id={mark === 'gone' ? 'queue.goneSentence' : 'queue.firstSentence'} values={values} />
        )}
      </h2>
      <p className={styles.description}>
        {isOpen || isOwn
          ? (draft?.refused ?? '')
          : text(kind === 'conflict' ? 'queue.yoursNotRecorded' : mark === 'gone' ? 'queue.goneNothing' : 'queue.firstNothing')}
      </p>
      <ul className={styles.both}>
        {isOpen ? null : (
          <li>
            <Mark state={mark} label={markWord(mark)} />
            <span>
              <strong>{mark === 'gone' ? text('queue.theSync') : name}</strong> {row.decidedAt ? clock(row.decidedAt) : ''}
            </span>
            <Chip>{text('queue.countsChip')}</Chip>
          </li>
        )}
        {draft === undefined || draft.choice === 'none' ? null : (
          <li>
            <Mark state={draftMark(draft)} label={markWord(draftMark(draft))} />
            <span>
              <strong>{text('queue.you')}</strong> {clock(new Date(draft.at))}
              {draft.comment === '' ? null : <span className={styles.quote}>{text('queue.quoted', { words: draft.comment })}</span>}
            </span>
            <Chip>{text('queue.notRecorded')}</Chip>
          </li>
        )}
      </ul>
      {kind === 'conflict' ? (
        <p>
          <Button
            icon="check"
            onClick={() => {
              actions.agree(row.taskId);
              onDone();
            }}
          >
            {text('queue.agree')}
          </Button>{' '}
          {mark === 'gone' || isOpen || isOwn ? null : (
            <Button icon="comment" keys="m" onClick={() => actions.open('comment')}>
              {text('queue.tellWhyNot', { name })}
            </Button>
          )}
        </p>
      ) : null}
      {isOpen || isOwn ? null : <p className={styles.faint}>{text('queue.askAgain')}</p>}
    </>
  );
}
