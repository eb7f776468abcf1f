/**
 * A few words about a control, on hover and focus. All tooltips of the page are one, so that a row may have several. It is described to those
 * who listen by the same words.
 */
import { Tooltip as Base } from '@base-ui/react/tooltip';
import { isValidElement, type ReactElement, useId } from 'react';
import styles from './tooltip.module.css';

const handle = Base.createHandle<string>();

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
      <Base.Trigger handle={handle} payload={text} delay={300} closeOnClick={false} render={target} aria-describedby={id} />
      <span id={id} hidden>
        {text}
      </span>
    </>
  );
}

/** The place where tooltips appear; once in the page. */
export function Tooltips() {
  return (
    <Base.Root handle={handle}>
      {({ payload }) => (
        <Base.Portal>
          <Base.Positioner sideOffset={6} className={styles.layer}>
            <Base.Popup className={styles.popup}>{payload}</Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      )}
    </Base.Root>
  );
}
