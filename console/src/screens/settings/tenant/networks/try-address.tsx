/** Test of an address against the blocks as they stand in the form, before they are saved. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from '~/app/forms/use-form.ts';
import { call, type ReplyOf, read } from '~/data/query.ts';
import { Select } from '~/parts/controls/select.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { Note } from '~/parts/states/note.tsx';
import { FormSection } from '~/screens/settings/tenant/form-section.tsx';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { text } from '~/text/text.ts';
import { type SourceDraft, type SourceName, sources } from './sources.ts';

export function TryAddress({ draft }: { draft: SourceDraft }) {
  const own = useQuery({ ...read('SessionService.Get', {}), staleTime: 300_000 }).data?.address ?? '';
  const [tested, setTested] = useState<ReplyOf<'SessionSettingsService.TestSourceIP'>>();
  const form = useForm({
    values: { name: 'ssoAdminSource' as SourceName, sourceIp: '' },
    isTrial: true,
    send: ({ name, sourceIp }) => {
      setTested(undefined);
      const { enabled, sourceCidr } = draft[name];
      return call('SessionSettingsService.TestSourceIP', { sourceIp: sourceIp.trim(), allowCidr: enabled ? [...sourceCidr] : [] });
    },
    onSent: setTested,
  });
  const outcome =
    tested === undefined ? null : (
      <Note kind={tested.allowed === true ? 'ok' : 'warn'}>
        {text(tested.allowed === true ? 'networks.letIn' : 'networks.keptOut', { address: tested.checkedIp ?? '' })}
      </Note>
    );
  return (
    <FormSection form={form} title={text('networks.try')} action={text('networks.tryIt')} isPrimary={false} outcome={outcome}>
      <div className={styles.two}>
        <Select
          {...form.at('name')}
          label={text('networks.tryFor')}
          options={sources.map((source) => ({ value: source.name, label: text(source.label) }))}
        />
        <TextField
          {...form.at('sourceIp')}
          label={text('networks.address')}
          placeholder={own}
          hint={own === '' ? undefined : text('networks.ownAddress', { address: own })}
        />
      </div>
    </FormSection>
  );
}
