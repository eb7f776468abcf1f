/** A sum that ties out, part by part. */
import type { ReactNode } from 'react';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './sums.module.css';
import { Table } from './table.tsx';

export interface SumPart {
  readonly id: string;
  readonly words: ReactNode;
  readonly value: number;
  readonly isTotal?: boolean | undefined;
}

export function Sums({ label, parts }: { label: string; parts: readonly SumPart[] }) {
  const say = (part: SumPart, words: ReactNode) => (part.isTotal === true ? <b>{words}</b> : words);
  return (
    <div className={styles.sums}>
      <Table
        label={label}
        rows={parts}
        rowKey={({ id }) => id}
        hideHead
        columns={(column) => [
          column('part', text('parts.sumPart'), (part) => say(part, part.words)),
          column('value', text('parts.sumValue'), (part) => say(part, number(part.value)), { align: 'end' }),
        ]}
      />
    </div>
  );
}
