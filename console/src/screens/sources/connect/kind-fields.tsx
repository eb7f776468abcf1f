/** Fields of a kind, by its descriptor; those that few need stand behind a word. */
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Disclosure } from '~/parts/layout/disclosure.tsx';
import { text } from '~/text/text.ts';
import type { Field, KindOfSource } from '~/screens/sources/kinds/kind.ts';
import { bindSetting, type SettingsForm } from './settings-form.ts';
import { checkSetting, SettingField } from './setting-field.tsx';

interface KindFieldsProps {
  readonly kind: KindOfSource;
  readonly form: SettingsForm;
  /** Names of secrets that are kept. */
  readonly secretsSet?: readonly string[] | undefined;
  /** Errors of a test, by field. */
  readonly faults?: Readonly<Record<string, string>> | undefined;
}

export function KindFields({ kind, form, secretsSet = [], faults = {} }: KindFieldsProps) {
  const usual = kind.fields.filter(({ isMore }) => isMore !== true);
  const more = kind.fields.filter(({ isMore }) => isMore === true);
  const show = (field: Field) => {
    const isSet = secretsSet.includes(field.name);
    const binding = bindSetting(form, field, checkSetting(field, isSet));
    return (
      <SettingField key={field.name} field={field} binding={{ ...binding, error: binding.error ?? faults[field.name] }} isSet={isSet} />
    );
  };
  const isOpen = more.some(({ name }) => {
    const value = form.values[name];
    return value === true || (typeof value === 'string' && value !== '') || faults[name] !== undefined;
  });
  return (
    <>
      {usual.map(show)}
      {kind.people === 'setting' ? (
        <Checkbox {...form.tick('isPeople')} label={text('connect.isPeople')} hint={text('connect.isPeopleHint')} />
      ) : null}
      {more.length === 0 ? null : (
        <Disclosure label={text('connect.more')} isSet={isOpen}>
          {more.map(show)}
        </Disclosure>
      )}
    </>
  );
}
