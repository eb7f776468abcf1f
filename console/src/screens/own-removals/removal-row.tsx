/** One removal that asks me: what is to go, from whom, how it stands, by when, and what I can say. */
import { RemovalProof } from '../../app/removal-proof.tsx';
import { RemovalState } from '../../app/removal-state.tsx';
import { Button } from '../../parts/button.tsx';
import { Name } from '../../parts/name.tsx';
import { Note } from '../../parts/note.tsx';
import { date } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import { type Answer, answers, answersOf, type Removal } from './answers.ts';
import styles from './own-removals.module.css';

export function RemovalRow({ removal, onSay }: { removal: Removal; onSay: (answer: Answer) => void }) {
  const { state, dueAt, isOverdue, unknown, residualAccess = [], description } = removal;
  const who = removal.userDisplayName || text('review.unowned');
  const what = removal.entitlementDisplayName ?? '';
  const possible = answersOf(removal);
  return (
    <li className={styles.removal}>
      <div className={styles.what}>
        <h2>
          <Name>{what}</Name>
        </h2>
        <p>
          <Name>{[who, removal.account, removal.appDisplayName, removal.resourceDisplayName].filter(Boolean).join(' · ')}</Name>
        </p>
        <p className={styles.state}>
          <RemovalState state={state} />
          {dueAt === undefined ? null : (
            <span data-over={isOverdue || undefined}>
              {text(isOverdue ? 'ownRemovals.wasDue' : 'ownRemovals.due', { date: date(dueAt, true) })}
            </span>
          )}
        </p>
        {description ? <p className={styles.quiet}>{description}</p> : null}
        {possible.length === 0 && unknown ? (
          <p>
            <RemovalProof row={removal} />
          </p>
        ) : null}
        {residualAccess.length === 0 ? null : (
          <Note kind="warn">
            {text('revocations.residual', { ways: residualAccess.map((way) => way.entitlementDisplayName || way.account).join(', ') })}
          </Note>
        )}
      </div>
      {possible.length === 0 ? null : (
        <div className={styles.answers}>
          {possible.map((answer) => (
            <Button
              key={answer}
              onClick={() => onSay(answer)}
              aria-label={text('ownRemovals.sayOf', { answer: text(answers[answer].label), what, who })}
            >
              {text(answers[answer].label)}
            </Button>
          ))}
        </div>
      )}
    </li>
  );
}
