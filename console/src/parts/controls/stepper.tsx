/** Place on a way of a few steps. */
import { text } from '~/text/text.ts';
import { Hidden } from '~/parts/words/hidden.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import styles from './stepper.module.css';

interface StepperProps {
  readonly steps: readonly (string | { readonly label: string })[];
  /** The index of the present step; as many as there are steps means that all are done. */
  readonly current: number;
}

export function Stepper({ steps, current }: StepperProps) {
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => {
        const label = typeof step === 'string' ? step : step.label;
        const isDone = index < current;
        return (
          <li
            key={label}
            className={styles.step}
            data-state={isDone ? 'done' : undefined}
            aria-current={index === current ? 'step' : undefined}
          >
            <span className={styles.sign} aria-hidden="true">
              {isDone ? <Icon name="check" /> : index + 1}
            </span>
            {label}
            {isDone ? <Hidden>{text('parts.done')}</Hidden> : null}
          </li>
        );
      })}
    </ol>
  );
}
