/**
 * A few words about a control, on hover and focus. All tooltips of the page are one, so that a row may have several. It is described to those
 * who listen by the same words.
 */
import { Tooltip as Base } from '@base-ui/react/tooltip';
import { isValidElement, type ReactElement, useId } from 'react';
import { tooltipHandle } from './tooltip-handle.ts';
import styles from './tooltip.module.css';

interface TooltipProps {
  readonly text: string;
  /** An element that can have the focus; anything else is put into one. */
  readonly children: ReactElement | string;
}

export function Tooltip({ text, children }: TooltipProps) {
  const id = useId();
  const target = isValidElement(children) ? (
    children
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the words are also for those who have no pointer
    <span tabIndex={0} className={styles.plain}>
      {children}
    </span>
  );
  return (
    <>
      <Base.Trigger handle={tooltipHandle} payload={text} delay={300} closeOnClick={false} render={target} aria-describedby={id} />
      <span id={id} hidden>
        {text}
      </span>
    </>
  );
}
