/** Saved mapping of the columns of a source's files. */
import type { Source } from '~/data/inventory/inventory.ts';
import { Facts } from '~/parts/words/facts.tsx';
import { Name } from '~/parts/words/name.tsx';
import { text } from '~/text/text.ts';
import styles from './sources.module.css';

export function ColumnMapping({ source }: { source: Source }) {
  const rows = Object.entries(source.columnMapping ?? {});
  return rows.length === 0 ? null : (
    <section className={styles.part}>
      <h2>{text('source.columns')}</h2>
      <Facts
        rows={rows.map(([field, from]) => ({
          term: field,
          children: <Name>{from.startsWith('=') ? text('source.allRows', { value: from.slice(1) }) : from}</Name>,
        }))}
      />
    </section>
  );
}
