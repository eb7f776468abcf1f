/** Facts known of an object: a term and its value each. A row without a value says that it is not known. */
import type { ReactNode } from 'react';
import { text } from '~/text/text.ts';
import styles from './facts.module.css';

interface FactsProps {
  readonly rows: readonly { readonly term: string; readonly children: ReactNode }[];
}

export function Facts({ rows }: FactsProps) {
  return (
    <dl className={styles.facts}>
      {rows.map(({ term, children }) => (
        <Row key={term} term={term} value={children} />
      ))}
    </dl>
  );
}

function Row({ term, value }: { term: string; value: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{value === undefined || value === null || value === '' ? text('parts.notKnown') : value}</dd>
    </>
  );
}
