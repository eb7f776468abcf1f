/** A yes or no that holds once it is sent. */
import { useEffect, useId, useRef } from 'react';
import styles from './choice.module.css';
import { Hidden } from './hidden.tsx';

export interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly hint?: string | undefined;
  /** Why it cannot be changed now. */
  readonly disabledReason?: string | undefined;
  /** Some of what it stands for, not all. */
  readonly some?: boolean | undefined;
  /** Where what stands beside it says what it is for, as in a row of a table. */
  readonly hideLabel?: boolean | undefined;
}

export function Checkbox({ label, checked, onChange, hint, disabledReason, some = false, hideLabel = false }: CheckboxProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const said = disabledReason ?? hint;
  useEffect(() => {
    if (input.current !== null) {
      input.current.indeterminate = some && !checked;
    }
  }, [some, checked]);
  return (
    <label className={styles.choice}>
      <input
        ref={input}
        type="checkbox"
        className={styles.box}
        checked={checked}
        aria-disabled={disabledReason === undefined ? undefined : true}
        aria-describedby={said === undefined ? undefined : id}
        onChange={(event) => {
          if (disabledReason === undefined) {
            onChange(event.target.checked);
          }
        }}
      />
      {hideLabel ? <Hidden>{label}</Hidden> : <span>{label}</span>}
      {said === undefined ? null : (
        <span id={id} className={styles.hint}>
          {said}
        </span>
      )}
    </label>
  );
}
