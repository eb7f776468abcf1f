/** One removal that asks me: what is to go, from whom, how it stands, by when, and what I can say. */
import { nameWay } from '~/app/removals/removal-proof.tsx';
import { RemovalProof } from '~/app/removals/removal-proof.tsx';
import { RemovalState } from '~/app/removals/removal-state.tsx';
import { Button } from '~/parts/controls/button.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Note } from '~/parts/states/note.tsx';
import { date } from '~/text/format.ts';
import { nameBy } from '~/text/name-by.ts';
import { joinNames } from '~/text/join-names.ts';
import { text } from '~/text/text.ts';
import { type Answer, answers, possibleAnswers, type Removal } from './answers.ts';
import styles from './own-removals.module.css';

interface RemovalRowProps {
  readonly removal: Removal;
  readonly isChosen: boolean;
  /** Chooses it among several; undefined where there are no others. */
  readonly onChoose: ((isOn: boolean) => void) | undefined;
  readonly onSay: (answer: Answer) => void;
}

export function RemovalRow({ removal, isChosen, onChoose, onSay }: RemovalRowProps) {
  const { state, dueAt, isOverdue, unknown, residualAccess = [], reason, accessReviewDisplayName } = removal;
  const who = removal.userDisplayName || text('review.unowned');
  const what = removal.entitlementDisplayName ?? '';
  const possible = possibleAnswers(removal);
  const reviewer = nameBy(removal.reviewerDisplayName, removal.reviewerIssuerDisplayName);
  const why = [reason, reviewer, accessReviewDisplayName].filter(Boolean).join(' · ');
  return (
    <li className={styles.removal}>
      {onChoose === undefined || possible.length === 0 ? null : (
        <Checkbox label={text('ownRemovals.choose', { what, who })} checked={isChosen} onChange={onChoose} hideLabel />
      )}
      <div className={styles.what}>
        <h2>
          <Name>{what}</Name>
        </h2>
        <p>
          <Name>{joinNames(who, removal.account, removal.appDisplayName, removal.resourceDisplayName)}</Name>
        </p>
        <p className={styles.state}>
          <RemovalState state={state} />
          {dueAt === undefined ? null : (
            <span data-over={isOverdue || undefined}>
              {text(isOverdue ? 'ownRemovals.wasDue' : 'ownRemovals.due', { date: date(dueAt, true) })}
            </span>
          )}
        </p>
        {why === '' ? null : (
          <p className={styles.quiet}>
            <Name>{why}</Name>
          </p>
        )}
        {possible.length === 0 && unknown ? (
          <p>
            <RemovalProof row={removal} />
          </p>
        ) : null}
        {residualAccess.length === 0 ? null : (
          <Note kind="warn">{text('revocations.residual', { ways: residualAccess.map(nameWay).join(', ') })}</Note>
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
