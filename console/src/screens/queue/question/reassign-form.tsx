/** Passes a task on to somebody whom its policy allows. It is done at once, and cannot be taken back here. */
import { useState } from 'react';
import { announceError } from '~/app/announce.ts';
import { useOnce } from '~/data/act.ts';
import { queries } from '~/data/query.ts';
import { type Candidate, passOn } from '~/data/queue/reassign.ts';
import { targets } from '~/data/queue/state/read-state.ts';
import { Button } from '~/parts/controls/button.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { text } from '~/text/text.ts';
import { useQueue } from '~/screens/queue/use-queue.ts';
import styles from './decide.module.css';
import { PersonPicker } from './person-picker.tsx';

export function ReassignForm({ onClose }: { onClose: () => void }) {
  const { store, actions } = useQueue();
  const [person, setPerson] = useState<Candidate>();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const { isBusy, send } = useOnce();
  const ids = targets(store.state);
  const pass = async () => {
    if (person === undefined) {
      setError(text('queue.chooseSomebody'));
      return;
    }
    // A search that is still on its way would ask about a task that is not one's own any more.
    await queries.cancelQueries({ queryKey: ['reassignees'] });
    const { passed, refused } = await passOn(ids, person.id, reason.trim());
    actions.pass(passed, person.label, refused === undefined);
    if (refused !== undefined) {
      setError(refused);
      announceError(refused);
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
      <PersonPicker taskId={ids[0] ?? ''} value={person} onChange={setPerson} error={error} isPaused={isBusy} />
      <TextArea label={text('queue.passWhy')} value={reason} onChange={setReason} maxLength={10_000} />
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
