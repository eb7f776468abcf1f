/** Frame around every input: its label, what helps to fill it in, and what is wrong with it. The input gets the ids that bind them. */
import { type ReactNode, useId } from 'react';
import { text } from '~/text/text.ts';
import styles from './field.module.css';
import { Hidden } from '~/parts/words/hidden.tsx';
import { Icon } from '~/parts/words/icon.tsx';

export interface FieldProps {
  readonly label: string;
  readonly hideLabel?: boolean | undefined;
  readonly hint?: ReactNode;
  /** Problem with the value, in a sentence. */
  readonly error?: string | undefined;
  readonly required?: boolean | undefined;
}

/** Attributes the input takes. */
export interface InputBinding {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-required': true | undefined;
}

export function Field({
  label,
  hideLabel = false,
  hint,
  error,
  required = false,
  children,
}: FieldProps & { children: (binding: InputBinding) => ReactNode }) {
  const id = useId();
  const hasHint = hint !== undefined && hint !== '';
  const hasError = error !== undefined && error !== '';
  const described = [hasError ? `${id}-error` : '', hasHint ? `${id}-hint` : ''].filter((one) => one !== '').join(' ');
  return (
    <div className={styles.field}>
      {hideLabel ? (
        <label htmlFor={id} className={styles.unseen}>
          <Hidden>{label}</Hidden>
        </label>
      ) : (
        <div className={styles.head}>
          <label htmlFor={id} className={styles.label}>
            {label}
          </label>
          {required ? (
            <span className={styles.needed} aria-hidden="true">
              {text('parts.needed')}
            </span>
          ) : null}
        </div>
      )}
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': hasError || undefined,
        'aria-required': required || undefined,
      })}
      {hasError ? (
        <p id={`${id}-error`} className={styles.error}>
          <Icon name="warning" />
          {error}
        </p>
      ) : null}
      {hasHint ? (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}
