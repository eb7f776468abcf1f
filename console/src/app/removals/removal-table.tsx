/** Removals: whose access, what, how it stands, for how long, who says it is done, and what is known. */
import type { LinkOptions } from '@tanstack/react-router';
import { idsInRemoval, type Removal, withNamesSince } from '~/data/inventory/removals.ts';
import { useNamesSince } from '~/data/names-since.ts';
import { Initials } from '~/parts/words/initials.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table, type TableStates } from '~/parts/tables/table.tsx';
import { nameBy } from '~/text/name-by.ts';
import { text } from '~/text/text.ts';
import { RemovalAge } from './removal-age.tsx';
import { RemovalProof } from './removal-proof.tsx';
import { RemovalState } from './removal-state.tsx';
import styles from './removal-table.module.css';

interface RemovalTableProps extends TableStates {
  readonly label: string;
  readonly rows: readonly Removal[];
  /** The address of the story of one of them. */
  readonly linkOf: (id: string) => LinkOptions;
}

export function RemovalTable({ label, rows: given, linkOf, ...states }: RemovalTableProps) {
  const since = useNamesSince(given.flatMap(idsInRemoval));
  const rows = given.map((row) => withNamesSince(row, since));
  const oldest = Math.max(1, ...rows.map((row) => Date.now() - Date.parse(row.createdAt ?? '')).filter((age) => age > 0));
  return (
    <Table
      {...states}
      label={label}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      rowLink={(row) => linkOf(row.id ?? '')}
      columns={(column) => [
        column(
          'who',
          text('review.who'),
          (row) => (
            <span className={styles.who}>
              <Initials name={row.userDisplayName || row.account || ''} />
              <span className={styles.two}>
                <Name strong>{since(row.userId, row.userDisplayName) || row.account || text('review.unowned')}</Name>
                <small>
                  <Name>{row.userDisplayName ? row.account : text('review.unowned')}</Name>
                </small>
              </span>
            </span>
          ),
          { least: 'name' },
        ),
        column(
          'what',
          text('review.right'),
          (row) => (
            <span className={styles.two}>
              <Name>{row.entitlementDisplayName}</Name>
              <small>
                <Name>{[row.appDisplayName, row.resourceDisplayName].filter(Boolean).join(', ')}</Name>
              </small>
            </span>
          ),
          { least: 'name', narrow: 'second' },
        ),
        column(
          'why',
          text('revocations.reason'),
          (row) => (
            <span className={styles.two}>
              {row.reason ? <Name>{row.reason}</Name> : <span className={styles.quiet}>{text('revocations.noReason')}</span>}
              <small>
                <Name>
                  {[nameBy(row.reviewerDisplayName, row.reviewerIssuerDisplayName), row.accessReviewDisplayName].filter(Boolean).join(', ')}
                </Name>
              </small>
            </span>
          ),
          { least: 'words', narrow: 'hide', isExtra: true },
        ),
        column('state', text('review.state'), (row) => <RemovalState state={row.state} />),
        column('age', text('revocations.age'), (row) => <RemovalAge row={row} oldest={oldest} />, { narrow: 'hide' }),
        column(
          'by',
          text('revocations.saidBy'),
          (row) =>
            row.claimedByDisplayName ? (
              <Name>{nameBy(row.claimedByDisplayName, row.claimedIssuerDisplayName)}</Name>
            ) : (
              <span className={styles.quiet}>{text('revocations.nobodyYet')}</span>
            ),
          { narrow: 'hide', isExtra: true },
        ),
        column('proof', text('revocations.proof'), (row) => <RemovalProof row={row} />, { least: 'name', narrow: 'hide' }),
      ]}
    />
  );
}
