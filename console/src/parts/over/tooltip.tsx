/**
 * A few words about a control, on hover and focus. All tooltips of the page appear in one place (tooltips.tsx), which finds the words on the
 * control. It is described to those who listen by the same words.
 */
import { useRender } from '@base-ui/react/use-render';
import { isValidElement, type ReactElement, useId } from 'react';
import styles from './tooltip.module.css';

interface TooltipProps {
  readonly text: string;
  /** An element that can have the focus; anything else is put into one. */
  readonly children: ReactElement | string;
}

export function Tooltip({ text, children }: TooltipProps) {
  const id = useId();
  const target = isValidElement<Record<string, unknown>>(children) ? (
    children
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the words are also for those who have no pointer
    <span tabIndex={0} className={styles.plain}>
      {children}
    </span>
  );
  const control = useRender({
    render: target,
    props: { 'data-tooltip': text, 'aria-describedby': id } as Record<string, unknown>,
  });
  return (
    <>
      {control}
      <span id={id} hidden>
        {text}
      </span>
    </>
  );
}
