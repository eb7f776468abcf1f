/** Removals: whose access, what, how it stands, for how long, who says it is done, and what is known. */
import type { Removal } from '../data/removals.ts';
import { Initials } from '../parts/initials.tsx';
import { Name } from '../parts/name.tsx';
import { Table } from '../parts/table.tsx';
import { text } from '../text/text.ts';
import { RemovalAge } from './removal-age.tsx';
import { RemovalProof } from './removal-proof.tsx';
import { RemovalState } from './removal-state.tsx';
import styles from './removal-table.module.css';

interface RemovalTableProps {
  readonly label: string;
  readonly rows: readonly Removal[];
  /** The address of the story of one of them. */
  readonly linkOf: (id: string) => string;
}

export function RemovalTable({ label, rows, linkOf }: RemovalTableProps) {
  const oldest = Math.max(1, ...rows.map((row) => Date.now() - Date.parse(row.createdAt ?? '')).filter((age) => age > 0));
  return (
    <Table
      label={label}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      rowLink={(row) => linkOf(row.id ?? '')}
      columns={[
        {
          id: 'who',
          head: text('review.who'),
          cell: (row) => (
            <span className={styles.who}>
              <Initials name={row.userDisplayName || row.account || ''} />
              <span className={styles.two}>
                <Name strong>{row.userDisplayName || row.account || text('review.unowned')}</Name>
                <small>
                  <Name>{row.userDisplayName ? row.account : text('review.unowned')}</Name>
                </small>
              </span>
            </span>
          ),
        },
        {
          id: 'what',
          head: text('review.right'),
          narrow: 'second',
          cell: (row) => (
            <span className={styles.two}>
              <Name>{row.entitlementDisplayName}</Name>
              <small>
                <Name>{[row.appDisplayName, row.resourceDisplayName].filter(Boolean).join(', ')}</Name>
              </small>
            </span>
          ),
        },
        { id: 'state', head: text('review.state'), cell: (row) => <RemovalState state={row.state} /> },
        { id: 'age', head: text('revocations.age'), narrow: 'hide', cell: (row) => <RemovalAge row={row} oldest={oldest} /> },
        {
          id: 'by',
          head: text('revocations.saidBy'),
          narrow: 'hide',
          cell: (row) =>
            row.claimedByDisplayName ? (
              <Name>{row.claimedByDisplayName}</Name>
            ) : (
              <span className={styles.quiet}>{text('revocations.nobodyYet')}</span>
            ),
        },
        { id: 'proof', head: text('revocations.proof'), narrow: 'hide', cell: (row) => <RemovalProof row={row} /> },
      ]}
    />
  );
}
