/** One clause of the sentence: its word at the left, what it says in the middle, and at the right what it leaves of what was there. */
import { type ReactNode, useId } from 'react';
import styles from './edit.module.css';

interface ClauseFrameProps {
  readonly word: string;
  readonly children: ReactNode;
  readonly count?: string | undefined;
  readonly error?: string | undefined;
}

export function Clause({ word, children, count, error }: ClauseFrameProps) {
  const id = useId();
  return (
    <section className={styles.clause} aria-labelledby={id}>
      <h3 id={id}>{word}</h3>
      <div className={styles.said}>
        {children}
        {error === undefined ? null : (
          <p className={styles.error} role="alert">
            {error}
          </p>
        )}
      </div>
      <output className={styles.left}>{count}</output>
    </section>
  );
}
