/** The control that opens something: a button as it was given, or its content put into a plain one. */
import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from '~/parts/over/floating.module.css';

/** The element to render as a trigger. Its name is the label where it shows no words. */
export function labelledTrigger(trigger: ReactNode, label: string): ReactElement {
  if (isValidElement(trigger) && (trigger.type === Button || trigger.type === 'button')) {
    return trigger;
  }
  const isWords = typeof trigger === 'string';
  return (
    <button type="button" className={styles.trigger} aria-label={isWords ? undefined : label}>
      {trigger}
    </button>
  );
}
