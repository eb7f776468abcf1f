/** Passes a task on to somebody whom its policy allows. It is done at once, and cannot be taken back here. */
import { useEffect, useRef, useState } from 'react';
import { announceError } from '~/app/announce.ts';
import { useOnce } from '~/data/act.ts';
import type { NotDone as Refused } from '~/data/act-on-each.ts';
import { useHalfWords } from '~/data/half-words.ts';
import { queries } from '~/data/query.ts';
import { type Candidate, passOn } from '~/data/queue/reassign.ts';
import { freeTargets, targets } from '~/data/queue/state/targets.ts';
import { Button } from '~/parts/controls/button.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import styles from './decide.module.css';
import { NotDone } from './not-done.tsx';
import { PersonPicker } from './person-picker.tsx';

/** What came of the last press, where not all went. */
interface Result {
  readonly done: string;
  readonly notDone: readonly Refused<string>[];
}

export function ReassignForm({ onClose }: { onClose: () => void }) {
  const { store, actions } = useQueue();
  const [person, setPerson] = useState<Candidate>();
  const [reason, setReason] = useHalfWords('pass', targets(store.state));
  const [error, setError] = useState<string>();
  const [result, setResult] = useState<Result>();
  const { isBusy, send } = useOnce();
  const first = useQueueState((state) => freeTargets(state)[0] ?? '');
  // The field may be closed, and another one opened, while it is on its way.
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const pass = async () => {
    if (person === undefined) {
      setError(text('queue.chooseSomebody'));
      return;
    }
    const ids = freeTargets(store.state);
    if (ids.length === 0) {
      setError(text('queue.noneFree'));
      return;
    }
    // A search that is still on its way would ask about a task that is not one's own any more.
    await queries.cancelQueries({ queryKey: ['reassignees'] });
    const { done, notDone } = await passOn(ids, person.id, reason.trim());
    const said = done.length === 0 ? '' : text('queue.saidPassed', { count: done.length, name: person.label });
    const refused = notDone.length === 0 ? '' : text('queue.notPassed', { count: notDone.length, message: notDone[0]?.message ?? '' });
    if (notDone.length === 0) {
      setReason('');
    }
    if (!isOpen.current) {
      actions.pass(done, person.label, false);
      toast([said, refused].filter(Boolean).join(' '));
      return;
    }
    setError(undefined);
    setResult({ done: said, notDone });
    actions.pass(done, person.label, notDone.length === 0);
    if (notDone.length > 0) {
      announceError([said, refused].filter(Boolean).join(' '));
      return;
    }
    onClose();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Control and Enter pass it on, wherever in the fields the focus is
    <div
      className={styles.fields}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          event.stopPropagation();
          send(pass);
        }
      }}
    >
      <PersonPicker taskId={first} value={person} onChange={setPerson} error={error} isPaused={isBusy} />
      <TextArea label={text('queue.passWhy')} value={reason} onChange={setReason} maxLength={10_000} />
      {result === undefined ? null : <NotDone {...result} />}
      <div className={styles.end}>
        <Button variant="quiet" keys="escape" onClick={onClose}>
          {text('queue.back')}
        </Button>
        <Button icon="swap" keys="mod+Enter" busy={isBusy} onClick={() => send(pass)}>
          {text('queue.reassign')}
        </Button>
      </div>
    </div>
  );
}
