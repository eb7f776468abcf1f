/** A sign-in provider, new or there already: its name, issuer and client, and which addresses it can prove. Its secret only goes in. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { messageOf, violationOf } from '../../../../data/act.ts';
import { ClientError, forget } from '../../../../data/query.ts';
import { Button } from '../../../../parts/button.tsx';
import { Copy } from '../../../../parts/copy.tsx';
import { Drawer } from '../../../../parts/drawer.tsx';
import { Note } from '../../../../parts/note.tsx';
import { Switch } from '../../../../parts/switch.tsx';
import { TextField } from '../../../../parts/text-field.tsx';
import { toast } from '../../../../parts/toast.tsx';
import { text } from '../../../../text/text.ts';
import styles from '../tenant.module.css';
import { draftOf, type Provider, type ProviderDraft, redirectAddress, saveProvider } from './provider.ts';
import { TestProvider } from './test-provider.tsx';

interface ProviderDrawerProps {
  /** Undefined for a new one. */
  readonly provider: Provider | undefined;
  readonly onClose: () => void;
  readonly onMade: (made: { id: string; name: string }) => void;
}

export function ProviderDrawer({ provider, onClose, onMade }: ProviderDrawerProps) {
  const form = useId();
  const [draft, setDraft] = useState(() => draftOf(provider));
  const set = (part: Partial<ProviderDraft>) => setDraft((before) => ({ ...before, ...part }));
  const isNew = provider === undefined;
  const isOidc = isNew || provider.oidc !== undefined;
  const save = useMutation({
    mutationFn: () => saveProvider(provider, draft),
    onSuccess: async (id) => {
      onClose();
      if (isNew) {
        onMade({ id, name: draft.name.trim() });
      } else {
        toast(text('providers.saved', { name: draft.name.trim() }));
      }
      await forget('TenantAuthConfigService.List');
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) {
      save.mutate();
    }
  };
  const error = (...fields: string[]) => violationOf(save.error, ...fields);
  const isBeside = save.isError && !(save.error instanceof ClientError && save.error.violations.length > 0);
  return (
    <Drawer
      open
      keep
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title={isNew ? text('providers.newTitle') : text('providers.editTitle', { name: provider.displayName ?? '' })}
      footer={
        <>
          <Button onClick={onClose}>{text('settings.cancel')}</Button>
          <Button
            variant="primary"
            busy={save.isPending}
            onClick={() => (document.getElementById(form) as HTMLFormElement).requestSubmit()}
          >
            {text(isNew ? 'providers.add' : 'settings.save')}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={send} noValidate>
        <TextField
          label={text('providers.name')}
          value={draft.name}
          onChange={(name) => set({ name })}
          hint={text('providers.nameHint')}
          error={error('displayName')}
          required
          autoFocus
        />
        {isOidc ? (
          <>
            <TextField
              type="url"
              label={text('providers.issuer')}
              value={draft.issuer}
              onChange={(issuer) => set({ issuer })}
              placeholder="https://login.example.com"
              hint={text('providers.issuerHint')}
              error={error('issuerId')}
              required
            />
            {draft.issuer.trim() === '' ? null : <TestProvider issuer={draft.issuer.trim()} />}
            <TextField
              label={text('providers.clientId')}
              value={draft.clientId}
              onChange={(clientId) => set({ clientId })}
              error={error('oidcClientId')}
              required
            />
            <TextField
              type="password"
              autoComplete="new-password"
              label={text('providers.secret')}
              value={draft.secret}
              onChange={(secret) => set({ secret })}
              hint={text(isNew ? 'providers.secretHint' : 'providers.secretKept')}
              error={error('oidcClientSecret')}
            />
          </>
        ) : null}
        <TextField
          label={text('providers.domains')}
          value={draft.domains}
          onChange={(domains) => set({ domains })}
          placeholder="example.com"
          hint={text('providers.domainsHint')}
          error={error('bootstrapDomains')}
        />
        <Switch
          label={text('providers.trusts')}
          checked={draft.trusts}
          onChange={(trusts) => set({ trusts })}
          hint={text('providers.trustsHint')}
        />
        {isNew ? null : (
          <>
            <Switch
              label={text('providers.isOn')}
              checked={draft.isOn}
              onChange={(isOn) => set({ isOn })}
              hint={text('providers.isOnHint')}
            />
            <Copy shown label={text('providers.redirect')} value={redirectAddress(provider.id ?? '')} />
          </>
        )}
        {isBeside ? <Note kind="fault">{messageOf(save.error)}</Note> : null}
      </form>
    </Drawer>
  );
}
