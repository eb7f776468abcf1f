/** A field of a kind's form, by its descriptor. */
import type { Check } from '~/app/forms/use-form.ts';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import type { Field } from '~/screens/sources/kinds/kind.ts';
import { type EnteredSecret, isEntered, type SettingValue } from '~/screens/sources/kinds/settings-values.ts';
import { SecretField } from './secret-field.tsx';

interface Binding {
  readonly value: SettingValue;
  readonly onChange: (value: SettingValue) => void;
  readonly error?: string | undefined;
}

/** Returns the check of a field: a required one may not be empty. A secret that is set already may. */
export function checkSetting({ isRequired, isSecret }: Field, isSet: boolean): Check<SettingValue> {
  return (value) => {
    const isEmpty = isSecret === true ? !isEntered(value as EnteredSecret) && !isSet : typeof value === 'string' && value.trim() === '';
    return isRequired === true && isEmpty ? text('connect.needed') : undefined;
  };
}

/** `isSet` is of a secret: one is kept already. */
export function SettingField({ field, binding, isSet = false }: { field: Field; binding: Binding; isSet?: boolean | undefined }) {
  const { control, isSecret, isRequired, example, options = [] } = field;
  const label = text(field.label);
  const hint = field.hint === undefined ? undefined : text(field.hint);
  if (isSecret === true) {
    return (
      <SecretField
        label={label}
        hint={hint}
        isArea={control === 'area'}
        isSet={isSet}
        required={isRequired === true && !isSet}
        value={binding.value as EnteredSecret}
        onChange={binding.onChange}
        error={binding.error}
      />
    );
  }
  if (control === 'tick') {
    return <Checkbox label={label} hint={hint} checked={binding.value === true} onChange={binding.onChange} />;
  }
  const written = { ...binding, value: String(binding.value), label, hint, required: isRequired };
  switch (control) {
    case 'choice':
      return <Select {...written} options={options} />;
    case 'area':
    case 'lines':
      return <TextArea {...written} placeholder={example} />;
    default:
      return <TextField {...written} placeholder={example} />;
  }
}
