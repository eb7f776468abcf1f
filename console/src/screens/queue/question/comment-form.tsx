/** A comment on a task, which everybody who sees the task reads. It is sent at once. */
import { useState } from 'react';
import { announce, announceError } from '~/app/announce.ts';
import { useOnce } from '~/data/act.ts';
import type { NotDone as NotDoneTask } from '~/data/act-on-each.ts';
import { useHalfWords } from '~/data/half-words.ts';
import { addComment } from '~/data/queue/reassign.ts';
import { forget } from '~/data/query.ts';
import { targets } from '~/data/queue/state/targets.ts';
import { forgetDetail } from '~/data/queue/task-details.ts';
import { Button } from '~/parts/controls/button.tsx';
import { text } from '~/text/text.ts';
import { useQueue } from '~/screens/queue/use-queue.ts';
import styles from './decide.module.css';
import { NotDone } from './not-done.tsx';
import { WordsField } from './words-field.tsx';

export function CommentForm({ onClose }: { onClose: () => void }) {
  const { store } = useQueue();
  const [words, setWords] = useHalfWords('comment', targets(store.state));
  const [error, setError] = useState<string>();
  const { isBusy, send } = useOnce();
  // Those that a press before did not reach: the next one is about them alone.
  const [left, setLeft] = useState<readonly NotDoneTask<string>[]>([]);
  const [said, setSaid] = useState('');
  const add = async () => {
    if (words.trim() === '') {
      setError(text('queue.sayWords'));
      return;
    }
    const ids = left.length > 0 ? left.map(({ one }) => one) : targets(store.state);
    const { done, notDone } = await addComment(ids, words.trim());
    await Promise.all([...done.map(forgetDetail), forget('TaskService.List')]);
    if (notDone.length > 0) {
      const refused = notDone[0]?.message ?? '';
      setError(ids.length === 1 ? refused : undefined);
      setSaid(done.length === 0 ? '' : text('queue.saidCommentedMany', { count: done.length }));
      setLeft(notDone);
      announceError(refused);
      return;
    }
    setWords('');
    announce(text('queue.saidCommented'));
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
      {error === undefined ? <NotDone done={said} notDone={left} /> : null}
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
