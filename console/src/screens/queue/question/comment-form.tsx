/** A comment on a task, which everybody who sees the task reads. It is sent at once. */
import { useState } from 'react';
import { announce, announceError } from '~/app/announce.ts';
import { useOnce } from '~/data/act.ts';
import { useHalfWords } from '~/data/half-words.ts';
import { addComment } from '~/data/queue/reassign.ts';
import { forget } from '~/data/query.ts';
import { targets } from '~/data/queue/state/read-state.ts';
import { forgetDetail } from '~/data/queue/task-details.ts';
import { Button } from '~/parts/controls/button.tsx';
import { text } from '~/text/text.ts';
import { useQueue } from '~/screens/queue/use-queue.ts';
import styles from './decide.module.css';
import { WordsField } from './words-field.tsx';

export function CommentForm({ onClose }: { onClose: () => void }) {
  const { store } = useQueue();
  const [words, setWords] = useHalfWords('comment', targets(store.state));
  const [error, setError] = useState<string>();
  const { isBusy, send } = useOnce();
  const add = async () => {
    if (words.trim() === '') {
      setError(text('queue.sayWords'));
      return;
    }
    const ids = targets(store.state);
    const refused = await addComment(ids, words.trim());
    if (refused !== undefined) {
      setError(refused);
      announceError(refused);
      return;
    }
    setWords('');
    announce(text('queue.saidCommented'));
    await Promise.all([...ids.map(forgetDetail), forget('TaskService.List')]);
    onClose();
  };
  return (
    <>
      <WordsField
        label={text('queue.comment')}
        hint={text('queue.commentHint')}
        error={error}
        value={words}
        onChange={setWords}
        onSend={() => send(add)}
      />
      <div className={styles.end}>
        <Button variant="quiet" keys="escape" onClick={onClose}>
          {text('queue.back')}
        </Button>
        <Button icon="comment" keys="mod+Enter" busy={isBusy} onClick={() => send(add)}>
          {text('queue.addComment')}
        </Button>
      </div>
    </>
  );
}
