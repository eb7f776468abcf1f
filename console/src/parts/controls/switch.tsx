/** A setting that holds at once. */
import { useId } from 'react';
import styles from './choice.module.css';
import { Rail } from './choice-controls.tsx';

interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly hint?: string | undefined;
  /** Reason it cannot be changed now. */
  readonly disabledReason?: string | undefined;
}

export function Switch({ label, checked, onChange, hint, disabledReason }: SwitchProps) {
  const id = useId();
  const said = disabledReason ?? hint;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is Base UI's button in it
    <label className={styles.choice}>
      <Rail
        checked={checked}
        onChange={onChange}
        disabled={disabledReason !== undefined}
        describedBy={said === undefined ? undefined : id}
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
