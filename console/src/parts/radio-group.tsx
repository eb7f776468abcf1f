/** One of several that need a word of explanation each. */
import { useId } from 'react';
import styles from './choice.module.css';
import fieldStyles from './field.module.css';
import { Hidden } from './hidden.tsx';
import { Icon } from './icon.tsx';

interface RadioGroupProps<V extends string> {
  readonly label: string;
  readonly hideLabel?: boolean | undefined;
  readonly value: V | undefined;
  readonly onChange: (value: V) => void;
  readonly options: readonly { readonly value: V; readonly label: string; readonly hint?: string | undefined }[];
  readonly error?: string | undefined;
  /** Hints stand at the end of their lines, which are divided: for choices of a word or two. */
  readonly hintsAtEnd?: boolean | undefined;
}

export function RadioGroup<V extends string>({
  label,
  hideLabel = false,
  value,
  onChange,
  options,
  error,
  hintsAtEnd = false,
}: RadioGroupProps<V>) {
  const id = useId();
  const hasError = error !== undefined && error !== '';
  return (
    <fieldset className={`${styles.group} ${hintsAtEnd ? styles.lines : ''}`} aria-describedby={hasError ? `${id}-error` : undefined}>
      <legend>{hideLabel ? <Hidden>{label}</Hidden> : label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.choice}>
          <input
            type="radio"
            name={id}
            className={`${styles.box} ${styles.round}`}
            checked={option.value === value}
            aria-describedby={option.hint === undefined ? undefined : `${id}-${option.value}`}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
          {option.hint === undefined ? null : (
            <span id={`${id}-${option.value}`} className={styles.hint}>
              {option.hint}
            </span>
          )}
        </label>
      ))}
      {hasError ? (
        <p id={`${id}-error`} className={fieldStyles.error}>
          <Icon name="warning" />
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
