/** Why: the field of a reason that the policy needs, with the words one used before. Control and Enter decide. */
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { text } from '../../text/text.ts';
import type { QueueActions } from './actions.ts';
import styles from './decide.module.css';
import { WordsField } from './words-field.tsx';

interface ReasonFormProps {
  readonly choice: 'certify' | 'deny';
  readonly actions: QueueActions;
  readonly onClose: () => void;
}

/** Reasons of this review, the last three that differ. */
export function usedReasons(actions: QueueActions, choice: 'certify' | 'deny'): string[] {
  const drafts = [...actions.model.box.drafts.values()].filter((draft) => draft.choice === choice && draft.comment !== '');
  return [...new Set(drafts.sort((left, right) => right.at - left.at).map(({ comment }) => comment))].slice(0, 3);
}

export function ReasonForm({ choice, actions, onClose }: ReasonFormProps) {
  const [reason, setReason] = useState(actions.model.shared);
  const [isTried, setTried] = useState(false);
  const used = usedReasons(actions, choice);
  const decide = () => {
    if (reason.trim() === '') {
      setTried(true);
      return;
    }
    actions.decide({ choice, comment: reason });
    onClose();
  };
  const label = text(choice === 'deny' ? 'queue.whyDeny' : 'queue.whyCertify');
  return (
    <>
      <WordsField
        label={label}
        hint={text(choice === 'deny' ? 'queue.neededToDeny' : 'queue.neededToCertify')}
        error={isTried && reason.trim() === '' ? text('queue.sayWhy') : undefined}
        value={reason}
        onChange={setReason}
        onSend={decide}
      />
      {used.length === 0 ? null : (
        <p className={styles.used}>
          <small>{text('queue.usedBefore')}</small>
          {used.map((one) => (
            <button key={one} type="button" className={styles.chip} onClick={() => setReason(one)}>
              {one}
            </button>
          ))}
        </p>
      )}
      <div className={styles.end}>
        <Button variant="quiet" keys="escape" onClick={onClose}>
          {text('queue.back')}
        </Button>
        <Button icon={choice === 'deny' ? 'cross' : 'check'} keys="mod+Enter" onClick={decide} data-choice={choice}>
          {text(choice === 'deny' ? 'queue.deny' : 'queue.certify')}
        </Button>
      </div>
    </>
  );
}
