/** The list of credentials: name and client id, end, what it may do, from where, last use. */
import { Button } from '../../../parts/button.tsx';
import { Table } from '../../../parts/table.tsx';
import { When } from '../../../parts/when.tsx';
import { text } from '../../../text/text.ts';
import styles from './credentials.module.css';
import { Ends } from './ends.tsx';
import { From } from './from.tsx';
import type { Credential } from './types.ts';
import type { OwnRoles } from './use-roles.ts';

interface TableProps {
  readonly rows: readonly Credential[];
  readonly roles: OwnRoles;
  readonly onRevoke: (credential: Credential) => void;
}

const hasEnded = ({ expiresTime }: Credential): boolean => expiresTime !== undefined && Date.parse(expiresTime) <= Date.now();

export function CredentialTable({ rows, roles, onRevoke }: TableProps) {
  return (
    <Table
      label={text('settings.credentials')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={[
        {
          id: 'name',
          head: text('credentials.name'),
          cell: (row) => (
            <span className={styles.name} data-ended={hasEnded(row) || undefined}>
              <b>{row.displayName}</b>
              <code>{row.clientId}</code>
            </span>
          ),
        },
        { id: 'ends', head: text('credentials.ends'), narrow: 'second', cell: (row) => <Ends at={row.expiresTime} /> },
        {
          id: 'may',
          head: text('credentials.may'),
          narrow: 'second',
          cell: (row) =>
            (row.scopedRoles ?? []).length === 0 ? text('credentials.all') : (row.scopedRoles ?? []).map(roles.nameOf).join(', '),
        },
        { id: 'from', head: text('credentials.from'), narrow: 'hide', cell: (row) => <From blocks={row.allowSourceCidr ?? []} /> },
        {
          id: 'used',
          head: text('credentials.lastUsed'),
          narrow: 'hide',
          cell: (row) => (row.lastUsedAt === undefined ? text('credentials.never') : <When at={row.lastUsedAt} />),
        },
        {
          id: 'revoke',
          head: '',
          align: 'end',
          cell: (row) =>
            hasEnded(row) ? null : (
              <span className={styles.act}>
                <Button variant="danger" onClick={() => onRevoke(row)}>
                  {text('credentials.revoke')}
                </Button>
              </span>
            ),
        },
      ]}
    />
  );
}
