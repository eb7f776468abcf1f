/** The box of a select, and its list over the page, without what is around them. */
import { Select as Base } from '@base-ui/react/select';
import type { ComponentProps } from 'react';
import styles from '~/parts/over/floating.module.css';

export interface Choice<V extends string = string> {
  readonly value: V;
  readonly label: string;
}

type BoxProps = Pick<
  ComponentProps<'button'>,
  'id' | 'className' | 'aria-label' | 'aria-describedby' | 'aria-invalid' | 'aria-required' | 'aria-keyshortcuts' | 'onKeyDown'
>;

interface SelectBoxProps<V extends string> extends BoxProps {
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly options: readonly Choice<V>[];
}

export function SelectBox<V extends string>({ value, onChange, options, ...box }: SelectBoxProps<V>) {
  return (
    <Base.Root items={options} value={value} onValueChange={(next) => (next === null ? undefined : onChange(next))} modal={false}>
      <Base.Trigger {...box}>
        <Base.Value />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={styles.layer} sideOffset={4} align="start" alignItemWithTrigger={false}>
          <Base.Popup className={styles.list}>
            <Base.List>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className={styles.option}>
                  <Base.ItemText>{option.label}</Base.ItemText>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
