/** One of a few: the browser's own list, which every phone and screen reader knows. */
import { Field, type FieldProps } from './field.tsx';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

export interface Choice<V extends string = string> {
  readonly value: V;
  readonly label: string;
}

export interface SelectProps<V extends string> extends FieldProps {
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly options: readonly Choice<V>[];
}

export function Select<V extends string>({ label, hideLabel, hint, error, required, value, onChange, options }: SelectProps<V>) {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} required={required}>
      {(binding) => (
        <span className={styles.around}>
          <select
            {...binding}
            className={`${styles.input} ${styles.select}`}
            value={value}
            onChange={(event) => onChange(event.target.value as V)}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="down" />
        </span>
      )}
    </Field>
  );
}
