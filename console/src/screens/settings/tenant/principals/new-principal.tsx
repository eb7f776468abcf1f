/** A new service principal: its name. Roles and credentials come after. */
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { call } from '~/data/query.ts';
import { TextField } from '~/parts/fields/text-field.tsx';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { text } from '~/text/text.ts';
import type { Principal } from './principal.ts';

export function NewPrincipal({ onClose, onMade }: { onClose: () => void; onMade: (principal: Principal) => void }) {
  const form = useForm({
    values: { displayName: '' },
    send: ({ displayName }) => call('ServicePrincipalService.Create', { displayName: displayName.trim() }),
    stale: ['ServicePrincipalService.List'],
    onSent: ({ servicePrincipal }) => {
      onClose();
      onMade(servicePrincipal ?? {});
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={text('principals.newTitle')}
      action={text('principals.create')}
      className={styles.form}
    >
      <TextField {...form.at('displayName')} label={text('principals.name')} hint={text('principals.nameHint')} required autoFocus />
    </FormDialog>
  );
}
