/** A task that somebody else decided, or that is gone: what counts, and beside it what one meant. */
import type { QueueRow } from '../../data/queue-rows.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Mark } from '../../parts/mark.tsx';
import { clock } from '../../text/format.ts';
import { Rich } from '../../text/rich.tsx';
import { text } from '../../text/text.ts';
import type { QueueActions } from './actions.ts';
import styles from './detail.module.css';
import type { QueueModel } from './model.ts';
import { holderOf, markOf, nameOf } from './standing.ts';
import { wordOf } from './words.ts';

interface FirstProps {
  readonly model: QueueModel;
  readonly actions: QueueActions;
  readonly row: QueueRow;
  readonly onDone: () => void;
}

export function First({ model, actions, row, onDone }: FirstProps) {
  const { mark, kind } = model.standing(row);
  const draft = model.box.drafts.get(row.taskId);
  const name = row.decidedBy || text('queue.somebody');
  const values = { name, who: holderOf(row), right: nameOf(row), outcome: wordOf(mark) };
  const isGone = kind === 'gone' || (kind === 'conflict' && mark === 'gone');
  const isOpen = row.state !== 'CLOSED';
  return (
    <>
      <h2 className={styles.question} tabIndex={-1} data-question="">
        {isOpen ? (
          <Rich id="queue.notYours" values={{ who: holderOf(row), right: nameOf(row) }} />
        ) : (
          <Rich id={isGone ? 'queue.goneSentence' : 'queue.firstSentence'} values={values} />
        )}
      </h2>
      <p className={styles.description}>
        {isOpen
          ? (draft?.refused ?? '')
          : text(kind === 'conflict' ? 'queue.yoursNotRecorded' : isGone ? 'queue.goneNothing' : 'queue.firstNothing')}
      </p>
      <ul className={styles.both}>
        {isOpen ? null : (
          <li>
            <Mark state={mark} label={wordOf(mark)} />
            <span>
              <strong>{isGone ? text('queue.theSync') : name}</strong> {row.decidedAt ? clock(row.decidedAt) : ''}
            </span>
            <Chip>{text('queue.countsChip')}</Chip>
          </li>
        )}
        {draft === undefined || draft.choice === 'none' ? null : (
          <li>
            <Mark state={markOf(draft)} label={wordOf(markOf(draft))} />
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
              model.box.discard(row.taskId);
              actions.goOn(text('queue.saidAgreed'));
              onDone();
            }}
          >
            {text('queue.agree')}
          </Button>{' '}
          {mark === 'gone' || isOpen ? null : (
            <Button icon="comment" keys="m" onClick={() => actions.open('comment')}>
              {text('queue.tellWhyNot', { name })}
            </Button>
          )}
        </p>
      ) : null}
      {isOpen ? null : <p className={styles.faint}>{text('queue.askAgain')}</p>}
    </>
  );
}
