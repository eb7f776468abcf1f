/** The name of the company and its time zone. */
import { useForm } from '~/app/forms/use-form.ts';
import { changeMembers } from '~/data/change.ts';
import { queries, type ReplyOf } from '~/data/query.ts';
import { waysInQuery } from '~/data/session/sign-in.ts';
import { Select } from '~/parts/controls/select.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { FormSection } from '~/screens/settings/tenant/form-section.tsx';
import { zoneOptions } from '~/app/zones.ts';
import { text } from '~/text/text.ts';

type Settings = NonNullable<ReplyOf<'TenantSettingsService.Get'>['settings']>;

export function CompanyForm({ settings, mayWrite }: { settings: Settings; mayWrite: boolean }) {
  const form = useForm({
    values: { displayName: settings.displayName ?? '', timeZone: settings.timeZone || 'UTC' },
    send: ({ displayName, timeZone }, before) =>
      changeMembers('TenantSettingsService.Update', {}, 'settings', before, { displayName: displayName.trim(), timeZone }),
    stale: ['TenantSettingsService.Get', 'PreferenceService.Get'],
    onSent: (_, { displayName }) => {
      toast(text('company.saved'));
      // Its name stands above the navigation.
      queries.setQueryData(waysInQuery.queryKey, (before) => (before === undefined ? before : { ...before, tenant: displayName.trim() }));
    },
  });
  return (
    <FormSection form={form} title={text('company.title')} action={text('settings.save')} mayWrite={mayWrite}>
      <TextField {...form.at('displayName')} label={text('company.name')} hint={text('company.nameHint')} maxLength={200} required />
      <Select
        {...form.at('timeZone')}
        label={text('networks.zone')}
        options={zoneOptions(form.values.timeZone)}
        hint={text('networks.zoneHint')}
      />
    </FormSection>
  );
}
