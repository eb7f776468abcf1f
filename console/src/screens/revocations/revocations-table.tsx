/** The removals: whose access, what, how it stands, for how long, and what is known. */
import { RemovalState } from '../../app/removal-state.tsx';
import { Initials } from '../../parts/initials.tsx';
import { Name } from '../../parts/name.tsx';
import { Table } from '../../parts/table.tsx';
import { useNames } from '../../data/names.ts';
import type { ReplyOf } from '../../data/query.ts';
import { text } from '../../text/text.ts';
import { Age } from './age.tsx';
import styles from './revocations.module.css';

export type Removal = NonNullable<ReplyOf<'RevocationService.List'>['list']>[number];

export function RevocationsTable({ rows, onOpen }: { rows: readonly Removal[]; onOpen: (id: string) => void }) {
  const names = useNames(rows.map(({ claimedByUserId }) => claimedByUserId));
  const oldest = Math.max(1, ...rows.map((row) => Date.now() - Date.parse(row.createdAt ?? '')).filter((age) => age > 0));
  return (
    <Table
      label={text('nav.revocations')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={[
        {
          id: 'who',
          head: text('review.who'),
          cell: (row) => (
            <span className={styles.who}>
              <Initials name={row.userDisplayName || row.account || ''} />
              <span className={styles.two}>
                <button type="button" className={styles.open} onClick={() => onOpen(row.id ?? '')}>
                  {row.userDisplayName || row.account || text('review.unowned')}
                </button>
                <small>{row.userDisplayName ? row.account : text('review.unowned')}</small>
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
              {row.entitlementDisplayName}
              <small>{[row.appDisplayName, row.resourceDisplayName].filter(Boolean).join(', ')}</small>
            </span>
          ),
        },
        { id: 'state', head: text('review.state'), cell: (row) => <RemovalState state={row.state} /> },
        { id: 'age', head: text('revocations.age'), narrow: 'hide', cell: (row) => <Age row={row} oldest={oldest} /> },
        {
          id: 'by',
          head: text('revocations.saidBy'),
          narrow: 'hide',
          cell: (row) =>
            row.claimedByUserId ? (
              <Name>{names.get(row.claimedByUserId)}</Name>
            ) : (
              <span className={styles.quiet}>{text('revocations.nobodyYet')}</span>
            ),
        },
        {
          id: 'proof',
          head: text('revocations.proof'),
          narrow: 'hide',
          cell: (row) => <span className={styles.proof}>{row.unknown || row.outcome}</span>,
        },
      ]}
    />
  );
}
