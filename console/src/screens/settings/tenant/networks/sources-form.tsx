/** From which addresses people and programs come in. The server refuses what would block whoever changes it. */
import { useForm } from '~/app/forms/use-form.ts';
import { changeMembers } from '~/data/change.ts';
import { CountField } from '~/parts/fields/count-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { FormSection } from '~/screens/settings/tenant/form-section.tsx';
import { text } from '~/text/text.ts';
import { durationOf, shownIn } from './durations.ts';
import { SourceField } from './source-field.tsx';
import { sourceDraft, type SessionSettings, sources } from './sources.ts';
import { TryAddress } from './try-address.tsx';

type Written = ReturnType<typeof sourceDraft> & { readonly maxSessionLength: string };

/** The settings as the API takes them. */
const shape = ({ maxSessionLength, ...written }: Written) => ({
  ...Object.fromEntries(sources.map(({ name }) => [name, { enabled: written[name].enabled, sourceCidr: [...written[name].sourceCidr] }])),
  maxSessionLength: durationOf(maxSessionLength, 60),
});

export function SourcesForm({ settings, mayWrite }: { settings: SessionSettings; mayWrite: boolean }) {
  const form = useForm({
    values: { ...sourceDraft(settings), maxSessionLength: shownIn(settings.maxSessionLength, 60) },
    stored: settings,
    send: (values, before, stored) =>
      changeMembers('SessionSettingsService.Update', {}, 'sessionSettings', shape(before), shape(values), stored),
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
        <CountField
          {...form.whole('maxSessionLength')}
          min={0}
          isFraction
          label={text('networks.longest')}
          hint={text('networks.longestHint')}
        />
      </FormSection>
      <TryAddress draft={form.values} />
    </>
  );
}
