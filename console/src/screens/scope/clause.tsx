/** One clause of the sentence: its word at the left, what it says at the right. */
import { type ReactNode, useId } from 'react';
import styles from './edit.module.css';

export function Clause({ word, children, error }: { word: string; children: ReactNode; error?: string | undefined }) {
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
    </section>
  );
}
