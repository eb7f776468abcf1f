/** The list of credentials: name and client id, end, what it may do, from where, last use. */
import { Button } from '~/parts/controls/button.tsx';
import { Table, type TableStates } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import styles from './credentials.module.css';
import { Ends } from './ends.tsx';
import { From } from './from.tsx';
import type { Credential } from './types.ts';
import type { OwnRoles } from './use-roles.ts';

interface TableProps extends TableStates {
  readonly rows: readonly Credential[];
  readonly roles: OwnRoles;
  readonly onRevoke: (credential: Credential) => void;
}

const hasEnded = ({ expiresTime }: Credential): boolean => expiresTime !== undefined && Date.parse(expiresTime) <= Date.now();

export function CredentialTable({ rows, roles, onRevoke, ...states }: TableProps) {
  return (
    <Table
      {...states}
      label={text('settings.credentials')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={(column) => [
        column('name', text('credentials.name'), (row) => (
          <span className={styles.name} data-ended={hasEnded(row) || undefined}>
            <b>{row.displayName}</b>
            <code>{row.clientId}</code>
          </span>
        )),
        column('ends', text('credentials.ends'), (row) => <Ends at={row.expiresTime} />, { narrow: 'second' }),
        column(
          'may',
          text('credentials.may'),
          (row) => ((row.scopedRoles ?? []).length === 0 ? text('credentials.all') : (row.scopedRoles ?? []).map(roles.nameOf).join(', ')),
          { narrow: 'second' },
        ),
        column('from', text('credentials.from'), (row) => <From blocks={row.allowSourceCidr ?? []} />, { narrow: 'hide' }),
        column(
          'used',
          text('credentials.lastUsed'),
          (row) => (row.lastUsedAt === undefined ? text('credentials.never') : <When at={row.lastUsedAt} />),
          { narrow: 'hide' },
        ),
        column(
          'revoke',
          '',
          (row) =>
            hasEnded(row) ? null : (
              <span className={styles.act}>
                <Button variant="danger" onClick={() => onRevoke(row)}>
                  {text('credentials.revoke')}
                </Button>
              </span>
            ),
          { align: 'end' },
        ),
      ]}
    />
  );
}
