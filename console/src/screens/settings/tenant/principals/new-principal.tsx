/** A new service principal: its name. Roles and credentials come after. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { messageOf, violationOf } from '../../../../data/act.ts';
import { call, forget } from '../../../../data/query.ts';
import { Button } from '../../../../parts/button.tsx';
import { Dialog } from '../../../../parts/dialog.tsx';
import { Note } from '../../../../parts/note.tsx';
import { TextField } from '../../../../parts/text-field.tsx';
import { text } from '../../../../text/text.ts';
import styles from '../tenant.module.css';
import type { Principal } from './principal.ts';

export function NewPrincipal({ onClose, onMade }: { onClose: () => void; onMade: (principal: Principal) => void }) {
  const form = useId();
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: () => call('ServicePrincipalService.Create', { displayName: name.trim() }),
    onSuccess: async ({ servicePrincipal }) => {
      onClose();
      onMade(servicePrincipal ?? {});
      await forget('ServicePrincipalService.List');
    },
  });
  const error = violationOf(make.error, 'displayName');
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title={text('principals.newTitle')}
      footer={
        <>
          <Button onClick={onClose}>{text('settings.cancel')}</Button>
          <Button
            variant="primary"
            busy={make.isPending}
            onClick={() => (document.getElementById(form) as HTMLFormElement).requestSubmit()}
          >
            {text('principals.create')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={styles.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!make.isPending) {
            make.mutate();
          }
        }}
      >
        <TextField
          label={text('principals.name')}
          value={name}
          onChange={setName}
          hint={text('principals.nameHint')}
          error={error}
          required
          autoFocus
        />
        {make.isError && error === undefined ? <Note kind="fault">{messageOf(make.error)}</Note> : null}
      </form>
    </Dialog>
  );
}
