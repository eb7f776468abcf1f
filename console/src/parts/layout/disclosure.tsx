/** Part few need, behind a word that opens it. It stands open where something in it is set. */
import { type ReactNode, useState } from 'react';
import { text } from '~/text/text.ts';
import styles from './disclosure.module.css';

export function Disclosure({ label, isSet, children }: { label?: string; isSet: boolean; children: ReactNode }) {
  // Open as it was found: what is taken away inside does not close it.
  const [isOpen] = useState(isSet);
  return (
    <details className={styles.disclosure} open={isOpen}>
      <summary>{label ?? text('parts.unfold')}</summary>
      <div className={styles.inside}>{children}</div>
    </details>
  );
}
