/** Saying that access was removed, confirming it, or beginning again: where the state of the removal allows it. The server decides. */
import { useState } from 'react';
import { useUnsaved } from '~/app/forms/unsaved.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { errorMessage, useAct } from '~/data/act.ts';
import type { Removal } from '~/data/inventory/removals.ts';
import { useMay } from '~/data/session/session.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import { possibleActions } from './groups.ts';
import styles from './revocations.module.css';

const labels: Readonly<Record<'claim' | 'confirm' | 'retry', PlainTextKey>> = {
  claim: 'revocations.claim',
  confirm: 'revocations.confirm',
  retry: 'revocations.retry',
};

const stale = ['RevocationService.Get', 'RevocationService.List', 'RevocationService.Count'] as const;

export function StoryActions({ removal }: { removal: Removal }) {
  const [comment, setComment] = useState('');
  useUnsaved(comment.trim() !== '');
  const mayDecide = useMay('tasks.decide');
  const acts = {
    claim: useAct('RevocationService.Claim', ...stale),
    confirm: useAct('RevocationService.Confirm', ...stale),
    retry: useAct('RevocationService.Retry', ...stale),
  };
  const possible = mayDecide ? possibleActions(removal.state) : [];
  if (possible.length === 0) {
    return null;
  }
  const failed = Object.values(acts).find(({ isError }) => isError);
  return (
    <div className={styles.form}>
      <TextArea label={text('review.comment')} hint={text('revocations.commentHint')} value={comment} onChange={setComment} />
      {possible.map((action) => (
        <Button
          key={action}
          variant="primary"
          busy={acts[action].isPending}
          onClick={() => acts[action].mutate({ id: removal.id ?? '', comment }, { onSuccess: () => setComment('') })}
        >
          {text(labels[action])}
        </Button>
      ))}
      {failed === undefined ? null : <Note kind="fault">{errorMessage(failed.error)}</Note>}
    </div>
  );
}
