/** A step-up provider, new or there already: its issuer and client, and how strong a sign-in it has to prove. Its secret only goes in. */
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { needs, useForm } from '~/app/forms/use-form.ts';
import { Copy } from '~/parts/controls/copy.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { draftOf, type ProviderKind, provesByContext, redirectAddress, saveProvider, type StepUpProvider } from './provider.ts';

interface ProviderDrawerProps {
  /** Undefined for a new one. */
  readonly provider: StepUpProvider | undefined;
  readonly onClose: () => void;
}

export function ProviderDrawer({ provider, onClose }: ProviderDrawerProps) {
  const isNew = provider === undefined;
  const form = useForm({
    values: draftOf(provider),
    stored: provider,
    send: (draft, _before, stored) => saveProvider(stored, draft),
    stale: ['StepUpProviderService.List'],
    onSent: (_, draft) => {
      toast(text(isNew ? 'stepUp.added' : 'stepUp.saved', { name: draft.displayName.trim() }));
      onClose();
    },
  });
  const isMicrosoft = form.values.kind === 'microsoft';
  return (
    <FormDialog
      form={form}
      place="drawer"
      keep
      onClose={onClose}
      title={isNew ? text('stepUp.newTitle') : text('stepUp.editTitle', { name: provider.displayName ?? '' })}
      action={text(isNew ? 'stepUp.add' : 'settings.save')}
      className={styles.form}
    >
      {isNew ? (
        <Segments<ProviderKind>
          {...form.at('kind')}
          label={text('stepUp.kind')}
          options={[
            { value: 'oauth2', label: text('stepUp.kindOpenId') },
            { value: 'microsoft', label: text('stepUp.kindMicrosoft') },
          ]}
        />
      ) : null}
      <TextField
        {...form.at('displayName', needs(text('stepUp.nameNeeded')))}
        label={text('providers.name')}
        hint={text('stepUp.nameHint')}
        required
        autoFocus
      />
      <TextField
        {...form.at('issuerUrl', needs(text('stepUp.issuerNeeded')))}
        type="url"
        label={text('providers.issuer')}
        placeholder={text(isMicrosoft ? 'stepUp.issuerMicrosoft' : 'stepUp.issuerExample')}
        hint={text('providers.issuerHint')}
        required
      />
      <TextField {...form.at('clientId', needs(text('stepUp.clientNeeded')))} label={text('providers.clientId')} required />
      <TextField
        {...form.at('clientSecret')}
        type="password"
        autoComplete="new-password"
        label={text('providers.secret')}
        hint={text(isNew ? 'providers.secretHint' : 'stepUp.secretKept')}
      />
      {isMicrosoft ? (
        <>
          <TextField {...form.at('tenant')} label={text('stepUp.tenant')} hint={text('stepUp.tenantHint')} required />
          <Select
            {...form.at('validationMode')}
            label={text('stepUp.proof')}
            options={[
              { value: 'MICROSOFT_VALIDATION_MODE_ACRS', label: text('stepUp.proofContext') },
              { value: 'MICROSOFT_VALIDATION_MODE_OIDC', label: text('stepUp.proofAge') },
            ]}
          />
          {provesByContext(form.values) ? (
            <TextField
              {...form.at('conditionalAccessIds')}
              label={text('stepUp.contexts')}
              placeholder={text('stepUp.contextsExample')}
              hint={text('stepUp.contextsHint')}
            />
          ) : null}
        </>
      ) : (
        <TextField
          {...form.at('acrValues')}
          label={text('stepUp.acrValues')}
          placeholder={text('stepUp.acrValuesExample')}
          hint={text('stepUp.acrValuesHint')}
        />
      )}
      {isNew ? null : <Switch {...form.tick('enabled')} label={text('stepUp.isOn')} hint={text('stepUp.isOnHint')} />}
      <Copy shown label={text('stepUp.redirect')} value={redirectAddress()} />
    </FormDialog>
  );
}
