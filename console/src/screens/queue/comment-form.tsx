/** A comment on a task, which everybody who sees the task reads. It is sent at once. */
import { useState } from 'react';
import { announce, announceError } from '../../app/announce.ts';
import { addComment } from '../../data/reassign.ts';
import { forget } from '../../data/query.ts';
import { forgetDetail } from '../../data/task-details.ts';
import { Button } from '../../parts/button.tsx';
import { text } from '../../text/text.ts';
import type { QueueActions } from './actions.ts';
import styles from './decide.module.css';
import { WordsField } from './words-field.tsx';

export function CommentForm({ actions, onClose }: { actions: QueueActions; onClose: () => void }) {
  const [words, setWords] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const ids = actions.targets();
  const add = async () => {
    if (words.trim() === '') {
      setError(text('queue.sayWords'));
      return;
    }
    setBusy(true);
    const refused = await addComment(ids, words.trim());
    setBusy(false);
    if (refused !== undefined) {
      setError(refused);
      announceError(refused);
      return;
    }
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
        onSend={() => void add()}
      />
      <div className={styles.end}>
        <Button variant="quiet" keys="escape" onClick={onClose}>
          {text('queue.back')}
        </Button>
        <Button icon="comment" keys="mod+Enter" busy={isBusy} onClick={() => void add()}>
          {text('queue.addComment')}
        </Button>
      </div>
    </>
  );
}
