/** A new credential of a service principal: its name, how long it works, what it may do, and from where. The reply's secret goes on and does not stay. */
import { Form } from '~/app/forms/form.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { call } from '~/data/query.ts';
import { TextField } from '~/parts/fields/text-field.tsx';
import { Addresses } from '~/screens/settings/credentials/addresses.tsx';
import { isDayWrong, type Lifespan, LifespanField, lifespanSeconds } from '~/screens/settings/credentials/lifespan.tsx';
import { needsRoles, RolesField } from '~/screens/settings/credentials/roles-field.tsx';
import type { HeldRole, MadeCredential } from '~/screens/settings/credentials/types.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { text } from '~/text/text.ts';

interface NewCredentialFormProps {
  readonly principalId: string;
  /** The roles that the principal holds. */
  readonly held: readonly HeldRole[];
  readonly onMade: (made: MadeCredential) => void;
}

export function NewCredentialForm({ principalId, held, onMade }: NewCredentialFormProps) {
  const form = useForm({
    values: {
      displayName: '',
      lifespan: '90' as Lifespan,
      scopedRoles: null as readonly string[] | null,
      allowSourceCidrs: [] as readonly string[],
    },
    send: ({ displayName, lifespan, scopedRoles, allowSourceCidrs }) => {
      const expires = lifespanSeconds(lifespan);
      return call('ServicePrincipalService.CreateCredential', {
        servicePrincipalId: principalId,
        displayName: displayName.trim(),
        allowSourceCidrs: [...allowSourceCidrs],
        scopedRoles: [...(scopedRoles ?? [])],
        ...(expires === undefined ? {} : { expires }),
      });
    },
    stale: ['ServicePrincipalService.ListCredentials'],
    onSent: ({ credential, clientSecret }) => {
      onMade({ clientId: credential?.clientId ?? '', displayName: credential?.displayName ?? '', secret: clientSecret ?? '' });
      form.reset();
    },
  });
  const { error: dayError, ...lifespan } = form.at('lifespan', (value) => (isDayWrong(value) ? text('credentials.dayWrong') : undefined));
  return (
    <Form form={form} className={styles.form} action={text('principals.createCredential')}>
      <h3>{text('principals.newCredential')}</h3>
      <TextField {...form.at('displayName')} label={text('principals.credentialName')} required />
      <LifespanField {...lifespan} free tried={dayError !== undefined} />
      <RolesField {...form.at('scopedRoles', needsRoles)} held={held} ofProgram />
      <Addresses {...form.at('allowSourceCidrs')} />
    </Form>
  );
}
