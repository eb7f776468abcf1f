/** Values and bindings of a form whose fields a kind's descriptor says. */
import type { Check, useForm } from '~/app/forms/use-form.ts';
import type { Found } from '~/data/inventory/find.ts';
import type { Field } from '~/screens/sources/kinds/kind.ts';
import type { SettingValue } from '~/screens/sources/kinds/settings-values.ts';

/** Settings and secrets by name, beside what the form asks for besides. */
export interface FormValues extends Record<string, SettingValue | Found | undefined> {
  app: Found | undefined;
  isDirectory: boolean;
}

export type SettingsForm = ReturnType<typeof useForm<FormValues, unknown>>;

/** Returns what the control of a setting takes. */
export function bindSetting(form: SettingsForm, { name }: Field, check: Check<SettingValue>) {
  const { value, onChange, error } = form.at(name, (given) => check(given as SettingValue));
  return { value: value as SettingValue, onChange: onChange as (value: SettingValue) => void, error };
}
