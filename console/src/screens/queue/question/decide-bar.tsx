/** The decision: two buttons that look alike, and beside them certify until, reassign and comment; or the field that was opened, in their place. */
import { Suspense } from 'react';
import { currentRow, isUnderway } from '~/data/queue/state/read-state.ts';
import { standingOf } from '~/data/queue/state/standing.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Mark } from '~/parts/words/mark.tsx';
import { Menu } from '~/parts/over/menu.tsx';
import { date } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './decide.module.css';
import { laterPart } from '~/screens/queue/later-part.ts';
import { markWord } from '~/screens/queue/list/words.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';

// It comes behind the first question; see fetch-later-parts.ts.
const OpenForm = laterPart(() => import('./open-form.tsx').then(({ OpenForm: component }) => component));

export function DecideBar({ onDone }: { readonly onDone: () => void }) {
  const { store, actions } = useQueue();
  const row = useQueueState(currentRow);
  const draft = useQueueState(({ drafts, current }) => drafts.get(current));
  const passedTo = useQueueState(({ passed, current }) => passed.get(current));
  const isOpen = useQueueState(({ mode }) => mode !== 'free');
  const isGoing = useQueueState(isUnderway);
  if (row === undefined) {
    return null;
  }
  const standing = standingOf(row, draft, store.state.me, passedTo);
  const canReassign = (row.actions ?? []).includes('REASSIGN');
  if (isOpen) {
    return (
      <Suspense fallback={null}>
        <OpenForm onDone={onDone} />
      </Suspense>
    );
  }
  if (standing.kind === 'draft' || standing.kind === 'mine') {
    const words = draft?.until
      ? text('queue.youUntil', { date: date(draft.until) })
      : standing.mark === 'denied'
        ? text('queue.youDenied')
        : text('queue.youCertified');
    return (
      <div className={styles.decided}>
        <Mark state={standing.mark} label={markWord(standing.mark)} />
        <span>
          <strong>{words}</strong>
          {draft?.comment ? (
            <small>{text('queue.quoted', { words: draft.comment })}</small>
          ) : standing.kind === 'mine' ? (
            <small>{text('queue.submitted')}</small>
          ) : null}
        </span>
        {isGoing ? (
          <small>{text('queue.onItsWay')}</small>
        ) : standing.kind === 'mine' ? (
          <Button onClick={() => actions.open(standing.mark === 'denied' ? 'certify' : 'deny')}>
            {text(standing.mark === 'denied' ? 'queue.amendCertify' : 'queue.amendDeny')}
          </Button>
        ) : (
          <Button keys="backspace" onClick={() => actions.undoThis()}>
            {text('queue.change')}
          </Button>
        )}
      </div>
    );
  }
  if (standing.kind !== 'open') {
    return standing.kind === 'forbidden' ? <p className={styles.decided}>{text('queue.refusedForbidden')}</p> : null;
  }
  const noReassign = canReassign ? undefined : text('queue.noReassign');
  return (
    <div className={styles.bar}>
      <div className={styles.two}>
        <Button icon="check" keys="c" onClick={() => actions.decide({ choice: 'certify' })} data-choice="certify">
          {text('queue.certify')}
        </Button>
        <Button icon="cross" keys="d" onClick={() => actions.decide({ choice: 'deny' })} data-choice="deny">
          {text('queue.deny')}
        </Button>
        <span className={styles.more}>
          <Menu
            label={text('queue.more')}
            trigger={<Button icon="dots" aria-label={text('queue.more')} />}
            items={[
              { label: text('queue.untilShort'), icon: 'clock', onSelect: () => actions.open('until') },
              {
                label: text('queue.reassign'),
                icon: 'swap',
                onSelect: () => actions.open('reassign'),
                ...(noReassign === undefined ? {} : { disabledReason: noReassign }),
              },
              { label: text('queue.comment'), icon: 'comment', onSelect: () => actions.open('comment') },
            ]}
          />
        </span>
      </div>
      <div className={styles.three}>
        <Button variant="quiet" icon="clock" keys="t" onClick={() => actions.open('until')}>
          {text('queue.untilShort')}
        </Button>
        <Button variant="quiet" icon="swap" keys="r" disabledReason={noReassign} onClick={() => actions.open('reassign')}>
          {text('queue.reassign')}
        </Button>
        <Button variant="quiet" icon="comment" keys="m" onClick={() => actions.open('comment')}>
          {text('queue.comment')}
        </Button>
      </div>
    </div>
  );
}
