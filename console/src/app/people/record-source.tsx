/** Source of a record of a person, and what the source keeps the record apart by. */
import { Link } from '@tanstack/react-router';
import { anchorKey, type PersonRecord } from '~/data/inventory/person-records.ts';
import { Name } from '~/parts/words/name.tsx';
import { text } from '~/text/text.ts';
import styles from './record-source.module.css';

export function RecordSource({ record }: { record: PersonRecord }) {
  return (
    <span className={styles.two}>
      <Link to="/sources/$source" params={{ source: record.sourceId ?? '' }}>
        <Name>{record.sourceDisplayName}</Name>
      </Link>
      <small>
        {text(anchorKey(record))} <Name>{record.anchor}</Name>
      </small>
    </span>
  );
}
