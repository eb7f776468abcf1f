/** A setting that holds at once. */
import { useId } from 'react';
import styles from './choice.module.css';

interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly hint?: string | undefined;
  /** Why it cannot be changed now. */
  readonly disabledReason?: string | undefined;
}

export function Switch({ label, checked, onChange, hint, disabledReason }: SwitchProps) {
  const id = useId();
  const said = disabledReason ?? hint;
  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        role="switch"
        className={styles.rail}
        checked={checked}
        aria-checked={checked}
        aria-disabled={disabledReason === undefined ? undefined : true}
        aria-describedby={said === undefined ? undefined : id}
        onChange={(event) => {
          if (disabledReason === undefined) {
            onChange(event.target.checked);
          }
        }}
      />
      <span>{label}</span>
      {said === undefined ? null : (
        <span id={id} className={styles.hint}>
          {said}
        </span>
      )}
    </label>
  );
}
