/** The settings of a source in a form. Who changes its address is told that its secrets go, and enters them anew. */
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { needs, useForm } from '~/app/forms/use-form.ts';
import type { Source } from '~/data/inventory/inventory.ts';
import { changeMembers } from '~/data/change.ts';
import { Button } from '~/parts/controls/button.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { KindFields } from '~/screens/sources/connect/kind-fields.tsx';
import { putSecrets } from '~/screens/sources/connect/make-source.ts';
import type { FormValues } from '~/screens/sources/connect/settings-form.ts';
import { Tested, useTest } from '~/screens/sources/connect/tested.tsx';
import type { KindOfSource } from '~/screens/sources/kinds/kind.ts';
import {
  type Config,
  enteredSecrets,
  placeOfValues,
  settingsOfValues,
  type SettingValues,
  valuesOfSettings,
} from '~/screens/sources/kinds/settings-values.ts';

interface ChangeSettingsProps {
  readonly kind: KindOfSource;
  readonly source: Source;
  readonly config: Config;
  readonly onClose: () => void;
}

export function ChangeSettings({ kind, source, config, onClose }: ChangeSettingsProps) {
  const id = source.id ?? '';
  const before = valuesOfSettings(kind, config);
  const form = useForm<FormValues, void, { displayName: string; config: Config }>({
    values: { ...before, app: undefined, isDirectory: false, displayName: source.displayName ?? '' },
    stored: { displayName: source.displayName ?? '', config },
    send: async (values, _before, stored) => {
      const settings = values as SettingValues;
      // A setting that this console does not know stays as it is.
      const changed = { ...stored.config, ...settingsOfValues(kind, settings) };
      await changeMembers(
        'ConnectorService.Update',
        { appId: source.appId ?? '', id },
        'connector',
        { ...stored },
        { displayName: String(values['displayName']).trim(), config: changed },
      );
      await putSecrets(id, enteredSecrets(kind, settings));
    },
    stale: ['SourceService.Get', 'SourceService.List', 'ConnectorService.Get'],
    onSent: () => {
      toast(text('source.saved'));
      onClose();
    },
  });
  const test = useTest(kind, form, id);
  const secretsSet = source.secretsSet ?? [];
  const leadsElsewhere = placeOfValues(kind, form.values as SettingValues) !== placeOfValues(kind, before);
  const name = form.at('displayName', (value) => needs(text('connect.needed'))(String(value)));
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      place="drawer"
      keep
      title={text('setup.changeTitle')}
      action={text('source.save')}
      note={
        kind.canTest ? (
          <Button busy={test.isBusy} onClick={() => void test.run()}>
            {text('connect.test')}
          </Button>
        ) : undefined
      }
    >
      <TextField {...name} value={String(name.value)} label={text('setup.name')} required />
      {leadsElsewhere && secretsSet.length > 0 ? <Note kind="warn">{text('setup.leadsElsewhere')}</Note> : null}
      <KindFields kind={kind} form={form} secretsSet={leadsElsewhere ? [] : secretsSet} faults={test.faults} />
      <Tested test={test} />
    </FormDialog>
  );
}
