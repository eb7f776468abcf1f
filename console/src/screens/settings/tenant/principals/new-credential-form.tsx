/** A new credential of a service principal: its name, how long it works, and from where. The reply's secret goes on and does not stay here. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf, violationOf } from '../../../../data/act.ts';
import { call, ClientError, forget } from '../../../../data/query.ts';
import { Button } from '../../../../parts/button.tsx';
import { Note } from '../../../../parts/note.tsx';
import { TextField } from '../../../../parts/text-field.tsx';
import { text } from '../../../../text/text.ts';
import { Addresses } from '../../credentials/addresses.tsx';
import { type Lifespan, LifespanField, secondsOf } from '../../credentials/lifespan.tsx';
import type { MadeCredential } from '../../credentials/types.ts';
import styles from '../tenant.module.css';

export function NewCredentialForm({ principalId, onMade }: { principalId: string; onMade: (made: MadeCredential) => void }) {
  const [name, setName] = useState('');
  const [lifespan, setLifespan] = useState<Lifespan>('90');
  const [blocks, setBlocks] = useState<readonly string[]>([]);
  const make = useMutation({
    mutationFn: () => {
      const expires = secondsOf(lifespan);
      return call('ServicePrincipalService.CreateCredential', {
        servicePrincipalId: principalId,
        displayName: name.trim(),
        allowSourceCidrs: [...blocks],
        ...(expires === undefined ? {} : { expires }),
      });
    },
    onSuccess: async ({ credential, clientSecret }) => {
      onMade({ clientId: credential?.clientId ?? '', displayName: credential?.displayName ?? '', secret: clientSecret ?? '' });
      make.reset();
      setName('');
      setBlocks([]);
      await forget('ServicePrincipalService.ListCredentials');
    },
  });
  const nameError = violationOf(make.error, 'displayName');
  const blocksError =
    make.error instanceof ClientError
      ? make.error.violations.find(({ field }) => field.startsWith('allowSourceCidr'))?.description
      : undefined;
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!make.isPending) {
          make.mutate();
        }
      }}
    >
      <h3>{text('principals.newCredential')}</h3>
      <TextField label={text('principals.credentialName')} value={name} onChange={setName} error={nameError} required />
      <LifespanField value={lifespan} onChange={setLifespan} />
      <Addresses value={blocks} onChange={setBlocks} error={blocksError} />
      {make.isError && nameError === undefined && blocksError === undefined ? <Note kind="fault">{messageOf(make.error)}</Note> : null}
      <div>
        <Button type="submit" variant="primary" busy={make.isPending}>
          {text('principals.createCredential')}
        </Button>
      </div>
    </form>
  );
}
