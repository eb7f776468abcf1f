/** From which addresses people and programs come in. The server refuses what would block whoever changes it. */
import { useForm } from '~/app/forms/use-form.ts';
import { call } from '~/data/query.ts';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { FormSection } from '~/screens/settings/tenant/form-section.tsx';
import { text } from '~/text/text.ts';
import { durationOf, shownIn } from './durations.ts';
import { SourceField } from './source-field.tsx';
import { sourceDraft, type SessionSettings, sources } from './sources.ts';
import { TryAddress } from './try-address.tsx';

export function SourcesForm({ settings, mayWrite }: { settings: SessionSettings; mayWrite: boolean }) {
  const form = useForm({
    values: { ...sourceDraft(settings), maxSessionLength: shownIn(settings.maxSessionLength, 60) },
    send: (values) => {
      const maxSessionLength = durationOf(values.maxSessionLength, 60);
      const own = Object.fromEntries(
        sources.map(({ name }) => [name, { enabled: values[name].enabled, sourceCidr: [...values[name].sourceCidr] }]),
      );
      return call('SessionSettingsService.Update', {
        sessionSettings: { ...own, ...(maxSessionLength === undefined ? {} : { maxSessionLength }) },
        updateMask: [...sources.map(({ name }) => name), 'maxSessionLength'].join(','),
      });
    },
    stale: ['SessionSettingsService.Get', 'SessionService.Get'],
    onSent: () => toast(text('networks.saved')),
  });
  return (
    <>
      <FormSection
        form={form}
        title={text('networks.networks')}
        intro={text('networks.networksIntro')}
        action={text('networks.saveNetworks')}
        mayWrite={mayWrite}
      >
        {sources.map(({ name, label }) => (
          <SourceField key={name} {...form.at(name)} label={text(label)} />
        ))}
        <TextField {...form.at('maxSessionLength')} type="number" label={text('networks.longest')} hint={text('networks.longestHint')} />
      </FormSection>
      <TryAddress draft={form.values} />
    </>
  );
}
