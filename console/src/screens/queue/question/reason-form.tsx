/** Form: the field of a reason that the policy needs, with the words one used before. Control and Enter decide. */
import { useState } from 'react';
import { useHalfWords } from '~/data/half-words.ts';
import type { Drafts } from '~/data/queue/drafts.ts';
import { targets } from '~/data/queue/state/targets.ts';
import { Button } from '~/parts/controls/button.tsx';
import { text } from '~/text/text.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import styles from './decide.module.css';
import { WordsField } from './words-field.tsx';

interface ReasonFormProps {
  readonly choice: 'certify' | 'deny';
  readonly onClose: () => void;
}

/** Reasons of this review, the last three that differ. */
function listReasons(drafts: Drafts, choice: 'certify' | 'deny'): string[] {
  const given = [...drafts.values()].filter((draft) => draft.choice === choice && draft.comment !== '');
  return [...new Set(given.sort((left, right) => right.at - left.at).map(({ comment }) => comment))].slice(0, 3);
}

export function ReasonForm({ choice, onClose }: ReasonFormProps) {
  const { store, actions } = useQueue();
  const [reason, setReason] = useHalfWords(choice, targets(store.state), store.state.shared);
  const [isTried, setTried] = useState(false);
  const [refused, setRefused] = useState<string>();
  const used = listReasons(
    useQueueState(({ drafts }) => drafts),
    choice,
  );
  const decide = () => {
    if (reason.trim() === '') {
      setTried(true);
      return;
    }
    // What was written stays where nothing is decided.
    const against = actions.decide({ choice, comment: reason });
    setRefused(against);
    if (against === undefined) {
      setReason('');
      onClose();
    }
  };
  const label = text(choice === 'deny' ? 'queue.whyDeny' : 'queue.whyCertify');
  return (
    <>
      <WordsField
        label={label}
        hint={text(choice === 'deny' ? 'queue.neededToDeny' : 'queue.neededToCertify')}
        error={isTried && reason.trim() === '' ? text('queue.sayWhy') : refused}
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
