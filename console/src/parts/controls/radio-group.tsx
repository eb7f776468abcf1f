/** One of several that need a word of explanation each. */
import { useId } from 'react';
import styles from './choice.module.css';
import fieldStyles from '~/parts/fields/field.module.css';
import { Hidden } from '~/parts/words/hidden.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { One, OneOf } from './choice-controls.tsx';

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
    <OneOf
      className={`${styles.group} ${hintsAtEnd ? styles.lines : ''}`}
      labelledBy={id}
      describedBy={hasError ? `${id}-error` : undefined}
      value={value}
      onChange={(next) => onChange(next as V)}
    >
      <legend id={id}>{hideLabel ? <Hidden>{label}</Hidden> : label}</legend>
      {options.map((option) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the control is Base UI's button in it
        <label key={option.value} className={styles.choice}>
          <One value={option.value} describedBy={option.hint === undefined ? undefined : `${id}-${option.value}`} />
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
    </OneOf>
  );
}
