/** Keyboard and display: theme, language, whether single letters do something, and which. */
import { useSend } from '~/data/act.ts';
import { applyPreferences, companyZone, type Preferences, savePreferences, usePreferences } from '~/data/session/preferences.ts';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { languages, text } from '~/text/text.ts';
import { SettingsFrame } from '~/screens/settings/frame.tsx';
import { zoneOptions } from '~/app/zones.ts';
import styles from './display.module.css';
import { OwnKeys } from './own-keys.tsx';

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function DisplayPage() {
  const stored = usePreferences();
  const save = useSend({
    mutationFn: (part: Partial<Preferences>) => savePreferences(part),
    onMutate: (part) => applyPreferences({ ...stored.data?.preferences, ...part }),
    onError: () => applyPreferences(stored.data?.preferences ?? {}),
    onSuccess: (_, part) => {
      if ('language' in part) {
        location.reload();
      }
    },
  });
  const shown: Preferences = { ...stored.data?.preferences, ...(save.isPending ? save.variables : {}) };
  const tenantZone = companyZone(stored.data?.tenantTimeZone);
  const usualZone =
    tenantZone === undefined ? text('display.browserZone', { zone: browserZone }) : text('display.companyZone', { zone: tenantZone });
  return (
    <SettingsFrame title={text('settings.display')} intro={text('display.intro')}>
      {stored.isPending ? <Skeleton rows={4} /> : null}
      {stored.isError ? <Failed error={stored.error} retry={() => void stored.refetch()} /> : null}
      {save.isError ? <Note kind="fault">{save.error.message}</Note> : null}
      {stored.data === undefined ? null : (
        <>
          <div className={styles.fields}>
            <RadioGroup
              label={text('display.theme')}
              value={shown.theme === 'THEME_LIGHT' || shown.theme === 'THEME_DARK' ? shown.theme : 'THEME_SYSTEM'}
              onChange={(theme) => save.mutate({ theme: theme as NonNullable<Preferences['theme']> })}
              options={[
                { value: 'THEME_SYSTEM', label: text('display.system'), hint: text('display.systemHint') },
                { value: 'THEME_LIGHT', label: text('display.light') },
                { value: 'THEME_DARK', label: text('display.dark') },
              ]}
            />
            <Select
              label={text('display.language')}
              value={shown.language ?? ''}
              onChange={(language) => save.mutate({ language })}
              options={[
                { value: '', label: text('display.browserLanguage') },
                ...Object.entries(languages).map(([value, label]) => ({ value, label })),
              ]}
            />
            <Select
              label={text('display.timeZone')}
              value={shown.timeZone ?? ''}
              onChange={(timeZone) => save.mutate({ timeZone })}
              options={[{ value: '', label: usualZone }, ...zoneOptions(shown.timeZone ?? '')]}
            />
            <Switch
              label={text('display.letters')}
              checked={shown.letterKeysOff !== true}
              onChange={(isOn) => save.mutate({ letterKeysOff: !isOn })}
              hint={text('display.lettersHint')}
            />
          </div>
          <OwnKeys chosen={shown.keys ?? {}} onChange={(keys) => save.mutate({ keys })} />
        </>
      )}
    </SettingsFrame>
  );
}
