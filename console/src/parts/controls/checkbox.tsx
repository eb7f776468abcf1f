/** A yes or no that holds once it is sent. */
import { useId } from 'react';
import styles from './choice.module.css';
import { Hidden } from '~/parts/words/hidden.tsx';
import { TickBox } from './choice-controls.tsx';

export interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly hint?: string | undefined;
  /** Reason it cannot be changed now. */
  readonly disabledReason?: string | undefined;
  /** Some of what it stands for, not all. */
  readonly some?: boolean | undefined;
  /** True if text beside it says what it is for, as in a row of a table. */
  readonly hideLabel?: boolean | undefined;
}

export function Checkbox({ label, checked, onChange, hint, disabledReason, some = false, hideLabel = false }: CheckboxProps) {
  const id = useId();
  const said = disabledReason ?? hint;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is Base UI's button in it
    <label className={styles.choice}>
      <TickBox
        checked={checked}
        some={some && !checked}
        onChange={onChange}
        disabled={disabledReason !== undefined}
        describedBy={said === undefined ? undefined : id}
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
