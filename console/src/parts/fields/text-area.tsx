/** Several lines of text. It grows with them. */
import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';
import styles from './field.module.css';

export interface TextAreaProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string | undefined;
  readonly autoFocus?: boolean | undefined;
  readonly maxLength?: number | undefined;
  readonly onKeyDown?: ComponentProps<'textarea'>['onKeyDown'];
}

export function TextArea({ label, hideLabel, hint, error, required, value, onChange, autoFocus, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} required={required}>
      {(binding) => (
        <textarea
          {...rest}
          {...binding}
          className={`${styles.input} ${styles.area}`}
          value={value}
          // biome-ignore lint/a11y/noAutofocus: whoever asks for it has just opened what the field stands in
          autoFocus={autoFocus}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
