/** One line of text, also a mail address by its type. */
import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';
import styles from './field.module.css';

export interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string | undefined;
  readonly type?: 'text' | 'email' | 'url' | 'password' | 'tel' | undefined;
  readonly autoFocus?: boolean | undefined;
  /** The id of a list of values that are offered. */
  readonly list?: string | undefined;
  readonly autoComplete?: string | undefined;
  readonly maxLength?: number | undefined;
  readonly onKeyDown?: ComponentProps<'input'>['onKeyDown'];
  readonly onBlur?: ComponentProps<'input'>['onBlur'];
}

export function TextField({ label, hideLabel, hint, error, required, value, onChange, type = 'text', autoFocus, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} required={required}>
      {(binding) => (
        <input
          autoComplete="off"
          {...rest}
          {...binding}
          type={type}
          className={styles.input}
          value={value}
          // biome-ignore lint/a11y/noAutofocus: whoever asks for it has just opened what the field stands in
          autoFocus={autoFocus}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
