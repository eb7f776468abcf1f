/** A new API credential, in a drawer: its name, how long it works, what it may do, and from where. */
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { needs, useForm } from '~/app/forms/use-form.ts';
import { call } from '~/data/query.ts';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import { Addresses } from './addresses.tsx';
import styles from './credentials.module.css';
import { type Lifespan, LifespanField, lifespanSeconds } from './lifespan.tsx';
import { needsRoles, RolesField } from './roles-field.tsx';
import type { MadeCredential } from './types.ts';
import type { OwnRoles } from './use-roles.ts';

interface NewCredentialProps {
  readonly onClose: () => void;
  readonly roles: OwnRoles;
  readonly onMade: (made: MadeCredential) => void;
}

export function NewCredential({ onClose, roles, onMade }: NewCredentialProps) {
  const form = useForm({
    values: {
      displayName: '',
      lifespan: '90' as Lifespan,
      /** Null is all that the person may. */
      scopedRoles: null as readonly string[] | null,
      allowSourceCidr: [] as readonly string[],
    },
    send: ({ displayName, lifespan, scopedRoles, allowSourceCidr }) =>
      call('PersonalClientService.Create', {
        displayName: displayName.trim(),
        allowSourceCidr: [...allowSourceCidr],
        scopedRoles: [...(scopedRoles ?? [])],
        expires: lifespanSeconds(lifespan),
      }),
    stale: ['PersonalClientService.List'],
    onSent: ({ client, clientSecret }) => {
      onClose();
      onMade({ clientId: client?.clientId ?? '', displayName: client?.displayName ?? '', secret: clientSecret ?? '' });
    },
  });
  return (
    <FormDialog
      form={form}
      place="drawer"
      onClose={onClose}
      title={text('credentials.newTitle')}
      action={text('credentials.create')}
      className={styles.form}
      note={<span className={styles.once}>{text('credentials.shownOnce')}</span>}
    >
      <TextField
        {...form.at('displayName', needs(text('credentials.nameNeeded')))}
        label={text('credentials.name')}
        hint={text('credentials.nameHint')}
        required
        autoFocus
      />
      <LifespanField {...form.at('lifespan')} />
      <RolesField {...form.at('scopedRoles', needsRoles)} held={roles.held} />
      <Addresses {...form.at('allowSourceCidr')} />
    </FormDialog>
  );
}
