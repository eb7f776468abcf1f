/** Choosing who decides in one's place, and for how long. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, ClientError, forget } from '../../../data/query.ts';
import { Button } from '../../../parts/button.tsx';
import { Combobox, type Option } from '../../../parts/combobox.tsx';
import { Note } from '../../../parts/note.tsx';
import { TextField } from '../../../parts/text-field.tsx';
import { toast } from '../../../parts/toast.tsx';
import { text } from '../../../text/text.ts';
import styles from './profile.module.css';

/** The people whom one may name, by parts of their names. */
async function findDelegates(query: string, signal: AbortSignal): Promise<Option[]> {
  if (query.trim().length < 2) {
    return [];
  }
  const found = await call('MyDelegateService.Search', { query: query.trim(), pageSize: 20 }, { signal });
  return (found.list ?? []).map(({ reassignee: one }) => ({
    id: one?.userId ?? '',
    label: one?.displayName || one?.email || '',
    hint: one?.email ?? '',
  }));
}

export function DelegateForm({ onDone }: { onDone: () => void }) {
  const [person, setPerson] = useState<Option>();
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const [isTried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      call('MyDelegationService.Set', {
        delegatedUserId: person?.id ?? '',
        ...(from === '' ? {} : { delegationStartAt: new Date(`${from}T00:00:00`).toISOString() }),
        ...(until === '' ? {} : { delegationExpireAt: new Date(`${until}T23:59:59`).toISOString() }),
      }),
    onSuccess: async () => {
      toast(text('profile.delegateSet', { name: person?.label ?? '' }));
      onDone();
      await forget('MyDelegationService.Get');
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (person !== undefined && !save.isPending) {
      save.mutate();
    }
  };
  const missing = isTried && person === undefined ? { error: text('profile.delegateNeeded') } : {};
  return (
    <form className={styles.form} onSubmit={send} noValidate>
      <Combobox
        label={text('profile.delegate')}
        value={person}
        onChange={setPerson}
        search={findDelegates}
        placeholder={text('profile.delegatePlaceholder')}
        {...missing}
      />
      <div className={styles.dates}>
        <TextField type="date" label={text('profile.fromDay')} value={from} onChange={setFrom} />
        <TextField type="date" label={text('profile.untilDay')} value={until} onChange={setUntil} hint={text('profile.untilHint')} />
      </div>
      {save.isError ? <Note kind="fault">{save.error instanceof ClientError ? save.error.message : text('app.fault')}</Note> : null}
      <div className={styles.buttons}>
        <Button onClick={onDone}>{text('settings.cancel')}</Button>
        <Button type="submit" variant="primary" busy={save.isPending}>
          {text('settings.save')}
        </Button>
      </div>
    </form>
  );
}
