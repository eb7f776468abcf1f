/** A new API credential, in a drawer: its name, how long it works, what it may do, and from where. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { call, ClientError, forget } from '../../../data/query.ts';
import { Button } from '../../../parts/button.tsx';
import { Drawer } from '../../../parts/drawer.tsx';
import { Note } from '../../../parts/note.tsx';
import { TextField } from '../../../parts/text-field.tsx';
import { text } from '../../../text/text.ts';
import { Addresses } from './addresses.tsx';
import styles from './credentials.module.css';
import { type Lifespan, LifespanField, secondsOf } from './lifespan.tsx';
import { RolesField } from './roles-field.tsx';
import type { MadeCredential } from './types.ts';
import type { OwnRoles } from './use-roles.ts';

interface NewCredentialProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly roles: OwnRoles;
  readonly onMade: (made: MadeCredential) => void;
}

interface Draft {
  readonly name: string;
  readonly lifespan: Lifespan;
  /** Null is all that the person may. */
  readonly roles: readonly string[] | null;
  readonly blocks: readonly string[];
}

const empty: Draft = { name: '', lifespan: '90', roles: null, blocks: [] };

export function NewCredential({ open, onOpenChange, roles, onMade }: NewCredentialProps) {
  const form = useId();
  const [draft, setDraft] = useState(empty);
  const [isTried, setTried] = useState(false);
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const make = useMutation({
    mutationFn: () => {
      const expires = secondsOf(draft.lifespan);
      return call('PersonalClientService.Create', {
        displayName: draft.name.trim(),
        allowSourceCidr: [...draft.blocks],
        scopedRoles: [...(draft.roles ?? [])],
        ...(expires === undefined ? {} : { expires }),
      });
    },
    onSuccess: async (reply) => {
      close(false);
      onMade({ clientId: reply.client?.clientId ?? '', displayName: reply.client?.displayName ?? '', secret: reply.clientSecret ?? '' });
      // The reply holds the secret: it does not stay in the state of this form.
      make.reset();
      await forget('PersonalClientService.List');
    },
  });
  const close = (isOpen: boolean) => {
    onOpenChange(isOpen);
    if (!isOpen) {
      setDraft(empty);
      setTried(false);
      make.reset();
    }
  };
  const problem = problemsOf(make.error);
  const isNameMissing = isTried && draft.name.trim() === '';
  const areRolesMissing = draft.roles?.length === 0;
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (draft.name.trim() !== '' && !areRolesMissing && !make.isPending) {
      make.mutate();
    }
  };
  const nameError = isNameMissing ? text('credentials.nameNeeded') : problem('displayName');
  const blocksError = problem('allowSourceCidr');
  const rolesError = isTried && areRolesMissing ? text('credentials.rolesNeeded') : problem('scopedRoles');
  return (
    <Drawer
      open={open}
      onOpenChange={close}
      title={text('credentials.newTitle')}
      footer={
        <>
          <span className={styles.once}>{text('credentials.shownOnce')}</span>
          <Button onClick={() => close(false)}>{text('credentials.cancel')}</Button>
          <Button
            variant="primary"
            busy={make.isPending}
            onClick={() => (document.getElementById(form) as HTMLFormElement).requestSubmit()}
          >
            {text('credentials.create')}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={send} noValidate>
        <TextField
          label={text('credentials.name')}
          value={draft.name}
          onChange={(name) => set({ name })}
          hint={text('credentials.nameHint')}
          required
          autoFocus
          {...(nameError === undefined ? {} : { error: nameError })}
        />
        <LifespanField value={draft.lifespan} onChange={(lifespan) => set({ lifespan })} />
        <RolesField held={roles.held} value={draft.roles} onChange={(chosen) => set({ roles: chosen })} error={rolesError} />
        <Addresses value={draft.blocks} onChange={(blocks) => set({ blocks })} error={blocksError} />
        {make.isError && problem('') !== undefined ? <Note kind="fault">{problem('')}</Note> : null}
      </form>
    </Drawer>
  );
}

/** The problem at a field by its path; with an empty path what is wrong beside the fields. */
function problemsOf(error: Error | null): (field: string) => string | undefined {
  const violations = error instanceof ClientError ? error.violations : [];
  const fields = ['displayName', 'allowSourceCidr', 'scopedRoles'];
  const at = (field: string) => violations.find((one) => one.field.startsWith(field))?.description;
  return (field) => (field !== '' ? at(field) : fields.some((one) => at(one) !== undefined) ? undefined : error?.message);
}
