/** Parts to press in checkboxes, switches and groups of radio buttons. */
import { Checkbox } from '@base-ui/react/checkbox';
import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { Switch } from '@base-ui/react/switch';
import type { ReactNode } from 'react';
import styles from './choice.module.css';

interface TickProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** It can have the focus, so that why it cannot be changed is read, and stays as it is. */
  readonly disabled: boolean;
  readonly describedBy: string | undefined;
}

// A button of the browser, which a label around it names and a disabled fieldset disables.
const button = <button type="button" />;

const shared = ({ checked, onChange, disabled, describedBy }: TickProps) => ({
  nativeButton: true,
  render: button,
  checked,
  readOnly: disabled,
  'aria-disabled': disabled || undefined,
  'aria-describedby': describedBy,
  onCheckedChange: (next: boolean) => onChange(next),
});

export function TickBox({ some, ...props }: TickProps & { some: boolean }) {
  return <Checkbox.Root {...shared(props)} indeterminate={some} className={styles.box} />;
}

export function Rail(props: TickProps) {
  return <Switch.Root {...shared(props)} className={styles.rail} />;
}

interface OneOfProps {
  readonly className: string | undefined;
  readonly label?: string | undefined;
  readonly labelledBy?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

/** The group around radio buttons: arrows go from one to the next. */
export function OneOf({ className, label, labelledBy, describedBy, value, onChange, children }: OneOfProps) {
  return (
    <RadioGroup
      render={<fieldset />}
      className={className}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      value={value ?? null}
      onValueChange={(next) => onChange(next as string)}
    >
      {children}
    </RadioGroup>
  );
}

interface OneProps {
  readonly value: string;
  /** A round box where absent. */
  readonly className?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly children?: ReactNode;
}

export function One({ value, className = `${styles.box} ${styles.round}`, describedBy, children }: OneProps) {
  return (
    <Radio.Root nativeButton render={button} value={value} className={className} aria-describedby={describedBy}>
      {children}
    </Radio.Root>
  );
}
