/** One of a few, chosen from a list. */
import { Field, type FieldProps } from '~/parts/fields/field.tsx';
import styles from '~/parts/fields/field.module.css';
import { Icon } from '~/parts/words/icon.tsx';
import { type Choice, SelectBox } from './select-box.tsx';

export type { Choice } from './select-box.tsx';

export interface SelectProps<V extends string> extends FieldProps {
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly options: readonly Choice<V>[];
}

export function Select<V extends string>({ label, hideLabel, hint, error, required, ...choosing }: SelectProps<V>) {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} required={required}>
      {(binding) => (
        <span className={styles.around}>
          <SelectBox {...binding} {...choosing} className={`${styles.input} ${styles.select}`} />
          <Icon name="down" />
        </span>
      )}
    </Field>
  );
}
