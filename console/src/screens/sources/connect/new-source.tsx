/** The form of a new source of a kind: its app, its settings and secrets; a test; and making it. */
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { Form } from '~/app/forms/form.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { text } from '~/text/text.ts';
import type { KindOfSource } from '~/screens/sources/kinds/kind.ts';
import { findSystem } from '~/screens/sources/kinds/find-systems.ts';
import { enteredSecrets, settingsOfValues, type SettingValues, valuesOfSettings } from '~/screens/sources/kinds/settings-values.ts';
import styles from '~/screens/sources/sources.module.css';
import { KindFields } from './kind-fields.tsx';
import { appToMake, findOrName, isNewApp, type Made, makeSource } from './make-source.ts';
import type { FormValues } from './settings-form.ts';
import { Tested, useTest } from './tested.tsx';

export function NewSource({ kind, of }: { kind: KindOfSource; of: string | undefined }) {
  const navigate = useNavigate();
  const made = useRef<Made>({});
  const found = findSystem(kind, of);
  // A database or a file holds the access of another app.
  const isApp = typeof found?.system.name === 'string' && kind.people !== 'setting';
  const form = useForm<FormValues, string>({
    values: {
      ...valuesOfSettings(kind, found?.system.settings),
      app: found !== undefined && isApp ? appToMake(found.name) : undefined,
      isDirectory: kind.people === 'directory',
    },
    send: ({ app, isDirectory, ...values }) => {
      const settings = values as SettingValues;
      const isOfPeople = kind.people === 'setting' ? values['isPeople'] === true : isDirectory;
      const source = {
        app: app ?? { id: '', label: '' },
        isDirectory: isOfPeople,
        name: found !== undefined && isApp ? found.name : (app?.label ?? ''),
        config: settingsOfValues(kind, settings),
      };
      return makeSource(made.current, source, enteredSecrets(kind, settings));
    },
    stale: ['SourceService.List', 'AppService.Search'],
    onSent: (source) => navigate({ to: '/sources/$source', params: { source } }),
  });
  const test = useTest(kind, form);
  const app = form.at('app', (value) => (value === undefined ? text('fetch.appNeeded') : undefined));
  return (
    <Form form={form} className={styles.part}>
      {kind.before === undefined ? null : <p className={styles.quiet}>{text(kind.before)}</p>}
      <Combobox
        {...app}
        label={text('fetch.app')}
        hint={app.value !== undefined && isNewApp(app.value) ? text('connect.appIsNew') : text('connect.appHint')}
        search={(query, signal) => findOrName(query, signal, text('connect.newApp'))}
        placeholder={text('fetch.appFind')}
        required
      />
      {kind.people === 'directory' ? (
        <Checkbox {...form.tick('isDirectory')} label={text('connect.isDirectory')} hint={text('connect.isDirectoryHint')} />
      ) : null}
      <KindFields kind={kind} form={form} faults={test.faults} />
      <Tested test={test} />
      <div className={styles.row}>
        {kind.canTest ? (
          <Button busy={test.isBusy} onClick={() => void test.run()}>
            {text('connect.test')}
          </Button>
        ) : null}
        <Button type="submit" variant="primary" busy={form.isBusy}>
          {text('fetch.make')}
        </Button>
      </div>
    </Form>
  );
}
