/** A sign-in provider, new or there already: its name, issuer and client, and which addresses it can prove. Its secret only goes in. */
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { Copy } from '~/parts/controls/copy.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { draftOf, type Provider, redirectAddress, saveProvider } from './provider.ts';
import { TestProvider } from './test-provider.tsx';

interface ProviderDrawerProps {
  /** Undefined for a new one. */
  readonly provider: Provider | undefined;
  readonly onClose: () => void;
  readonly onMade: (made: { id: string; name: string }) => void;
}

export function ProviderDrawer({ provider, onClose, onMade }: ProviderDrawerProps) {
  const isNew = provider === undefined;
  const isOidc = isNew || provider.oidc !== undefined;
  const form = useForm({
    values: draftOf(provider),
    stored: provider,
    send: (draft, _before, stored) => saveProvider(stored, draft),
    stale: ['TenantAuthConfigService.List'],
    onSent: (id, draft) => {
      const name = draft.displayName.trim();
      onClose();
      if (isNew) {
        onMade({ id, name });
      } else {
        toast(text('providers.saved', { name }));
      }
    },
  });
  const issuer = form.values.issuerId.trim();
  return (
    <FormDialog
      form={form}
      place="drawer"
      keep
      onClose={onClose}
      title={isNew ? text('providers.newTitle') : text('providers.editTitle', { name: provider.displayName ?? '' })}
      action={text(isNew ? 'providers.add' : 'settings.save')}
      className={styles.form}
    >
      <TextField {...form.at('displayName')} label={text('providers.name')} hint={text('providers.nameHint')} required autoFocus />
      {isOidc ? (
        <>
          <TextField
            {...form.at('issuerId')}
            type="url"
            label={text('providers.issuer')}
            placeholder="https://login.example.com"
            hint={text('providers.issuerHint')}
            required
          />
          {issuer === '' ? null : <TestProvider issuer={issuer} />}
          <TextField
            {...form.at('oidcClientId')}
            label={text('providers.clientId')}
            hint={isNew ? text('providers.clientIdHint') : undefined}
            required
          />
          <TextField
            {...form.at('oidcClientSecret')}
            type="password"
            autoComplete="new-password"
            label={text('providers.secret')}
            hint={text(isNew ? 'providers.secretHint' : 'providers.secretKept')}
          />
        </>
      ) : null}
      <TextField
        {...form.at('bootstrapDomains')}
        label={text('providers.domains')}
        placeholder="example.com"
        hint={text('providers.domainsHint')}
      />
      <Switch {...form.tick('trustsAddresses')} label={text('providers.trusts')} hint={text('providers.trustsHint')} />
      {isNew ? null : (
        <>
          <Switch {...form.tick('isOn')} label={text('providers.isOn')} hint={text('providers.isOnHint')} />
          <Copy shown label={text('providers.redirect')} value={redirectAddress(provider.id ?? '')} />
        </>
      )}
    </FormDialog>
  );
}
