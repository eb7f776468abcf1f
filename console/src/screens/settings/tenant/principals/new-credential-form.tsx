/** A new credential of a service principal: its name, how long it works, what it may do, and from where. The reply's secret goes on and does not stay. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf, violationOf } from '../../../../data/act.ts';
import { call, ClientError, forget } from '../../../../data/query.ts';
import { Button } from '../../../../parts/button.tsx';
import { Note } from '../../../../parts/note.tsx';
import { TextField } from '../../../../parts/text-field.tsx';
import { text } from '../../../../text/text.ts';
import { Addresses } from '../../credentials/addresses.tsx';
import { isDayWrong, type Lifespan, LifespanField, secondsOf } from '../../credentials/lifespan.tsx';
import { RolesField } from '../../credentials/roles-field.tsx';
import type { HeldRole, MadeCredential } from '../../credentials/types.ts';
import styles from '../tenant.module.css';

interface NewCredentialFormProps {
  readonly principalId: string;
  /** The roles that the principal holds. */
  readonly held: readonly HeldRole[];
  readonly onMade: (made: MadeCredential) => void;
}

export function NewCredentialForm({ principalId, held, onMade }: NewCredentialFormProps) {
  const [name, setName] = useState('');
  const [lifespan, setLifespan] = useState<Lifespan>('90');
  const [roles, setRoles] = useState<readonly string[] | null>(null);
  const [isTried, setTried] = useState(false);
  const [blocks, setBlocks] = useState<readonly string[]>([]);
  const make = useMutation({
    mutationFn: () => {
      const expires = secondsOf(lifespan);
      return call('ServicePrincipalService.CreateCredential', {
        servicePrincipalId: principalId,
        displayName: name.trim(),
        allowSourceCidrs: [...blocks],
        scopedRoles: [...(roles ?? [])],
        ...(expires === undefined ? {} : { expires }),
      });
    },
    onSuccess: async ({ credential, clientSecret }) => {
      onMade({ clientId: credential?.clientId ?? '', displayName: credential?.displayName ?? '', secret: clientSecret ?? '' });
      make.reset();
      setName('');
      setLifespan('90');
      setRoles(null);
      setTried(false);
      setBlocks([]);
      await forget('ServicePrincipalService.ListCredentials');
    },
  });
  const nameError = violationOf(make.error, 'displayName');
  const violationIn = (list: string) =>
    make.error instanceof ClientError ? make.error.violations.find(({ field }) => field.startsWith(list))?.description : undefined;
  const blocksError = violationIn('allowSourceCidr');
  const areRolesMissing = roles?.length === 0;
  const rolesError = isTried && areRolesMissing ? text('credentials.rolesNeeded') : violationIn('scopedRoles');
  const isBeside = make.isError && [nameError, blocksError, rolesError].every((one) => one === undefined);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        setTried(true);
        if (!areRolesMissing && !isDayWrong(lifespan) && !make.isPending) {
          make.mutate();
        }
      }}
    >
      <h3>{text('principals.newCredential')}</h3>
      <TextField label={text('principals.credentialName')} value={name} onChange={setName} error={nameError} required />
      <LifespanField value={lifespan} onChange={setLifespan} free tried={isTried} />
      <RolesField held={held} value={roles} onChange={setRoles} error={rolesError} ofProgram />
      <Addresses value={blocks} onChange={setBlocks} error={blocksError} />
      {isBeside ? <Note kind="fault">{messageOf(make.error)}</Note> : null}
      <div>
        <Button type="submit" variant="primary" busy={make.isPending}>
          {text('principals.createCredential')}
        </Button>
      </div>
    </form>
  );
}
