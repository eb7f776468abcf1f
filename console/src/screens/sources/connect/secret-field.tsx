/** A secret that is entered: its text, or the name of a file on the server that holds it. What is kept is never shown. */
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import type { EnteredSecret } from '~/screens/sources/kinds/settings-values.ts';
import styles from '~/screens/sources/sources.module.css';

interface SecretFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** True for secrets of several lines, such as a key. */
  readonly isArea: boolean;
  /** True if one is kept: an empty field leaves it. */
  readonly isSet: boolean;
  readonly required: boolean;
  readonly value: EnteredSecret;
  readonly onChange: (value: EnteredSecret) => void;
  readonly error?: string | undefined;
}

export function SecretField({ label, hint, isArea, isSet, required, value, onChange, error }: SecretFieldProps) {
  const common = { required, error, hint: isSet ? text('connect.secretIsSet') : hint };
  const entered = { ...common, label, value: value.value, onChange: (next: string) => onChange({ ...value, value: next }) };
  return (
    <div className={styles.secret}>
      {value.isFile ? (
        <TextField
          {...common}
          label={text('connect.fileOf', { secret: label })}
          value={value.fromFile}
          onChange={(fromFile) => onChange({ ...value, fromFile })}
        />
      ) : isArea ? (
        <TextArea {...entered} />
      ) : (
        <TextField {...entered} type="password" autoComplete="new-password" />
      )}
      <Checkbox
        label={text('connect.inFile')}
        hint={value.isFile ? text('connect.inFileHint') : undefined}
        checked={value.isFile}
        onChange={(isFile) => onChange({ ...value, isFile })}
      />
    </div>
  );
}
