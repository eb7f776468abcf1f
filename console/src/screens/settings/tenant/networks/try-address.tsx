/** Whether an address would be let in by the blocks as they stand in the form, before they are saved. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf, useAct, violationOf } from '../../../../data/act.ts';
import { read } from '../../../../data/query.ts';
import { Button } from '../../../../parts/button.tsx';
import { Note } from '../../../../parts/note.tsx';
import { Select } from '../../../../parts/select.tsx';
import { TextField } from '../../../../parts/text-field.tsx';
import { text } from '../../../../text/text.ts';
import styles from '../tenant.module.css';
import { type SourceDraft, type SourceName, sources } from './sources.ts';

export function TryAddress({ draft }: { draft: SourceDraft }) {
  const own = useQuery({ ...read('SessionService.Get', {}), staleTime: 300_000 }).data?.address ?? '';
  const [name, setName] = useState<SourceName>('ssoAdminSource');
  const [address, setAddress] = useState('');
  const test = useAct('SessionSettingsService.TestSourceIP');
  const send = (event: FormEvent) => {
    event.preventDefault();
    const { enabled, sourceCidr } = draft[name];
    test.mutate({ sourceIp: address.trim(), allowCidr: enabled ? [...sourceCidr] : [] });
  };
  const addressError = violationOf(test.error, 'sourceIp');
  return (
    <form className={`${styles.section} ${styles.page}`} onSubmit={send} noValidate>
      <h3>{text('networks.try')}</h3>
      <div className={styles.two}>
        <Select
          label={text('networks.tryFor')}
          value={name}
          onChange={setName}
          options={sources.map((source) => ({ value: source.name, label: text(source.label) }))}
        />
        <TextField
          label={text('networks.address')}
          value={address}
          onChange={setAddress}
          placeholder={own}
          hint={own === '' ? undefined : text('networks.ownAddress', { address: own })}
          error={addressError}
        />
      </div>
      <div>
        <Button type="submit" busy={test.isPending}>
          {text('networks.tryIt')}
        </Button>
      </div>
      <div role="status">
        {test.data === undefined ? null : (
          <Note kind={test.data.allowed === true ? 'ok' : 'warn'}>
            {text(test.data.allowed === true ? 'networks.letIn' : 'networks.keptOut', { address: test.data.checkedIp ?? '' })}
          </Note>
        )}
        {test.isError && addressError === undefined ? <Note kind="fault">{messageOf(test.error)}</Note> : null}
      </div>
    </form>
  );
}
