/** The credentials of everybody: name and client id, owner, what each may do and from where, its last use and its end. */
import type { ReplyOf } from '../../../../data/query.ts';
import { Button } from '../../../../parts/button.tsx';
import { Chip } from '../../../../parts/chip.tsx';
import { type Column, Table } from '../../../../parts/table.tsx';
import { When } from '../../../../parts/when.tsx';
import { text } from '../../../../text/text.ts';
import { Ends } from '../../credentials/ends.tsx';
import { From } from '../../credentials/from.tsx';
import type { KnownRoles } from '../roles/use-roles.ts';
import styles from '../tenant.module.css';

export type OwnedCredential = NonNullable<ReplyOf<'CredentialService.Search'>['list']>[number];

interface AllCredentialsTableProps {
  readonly rows: readonly OwnedCredential[];
  readonly roles: KnownRoles;
  /** Undefined for those who may not. */
  readonly onRevoke: ((credential: OwnedCredential) => void) | undefined;
}

export function AllCredentialsTable({ rows, roles, onRevoke }: AllCredentialsTableProps) {
  const revoking: Column<OwnedCredential> = {
    id: 'revoke',
    head: '',
    align: 'end',
    cell: (row) => (
      <span className={styles.act}>
        <Button
          variant="danger"
          aria-label={text('allCredentials.revokeOne', { name: row.displayName ?? '' })}
          onClick={() => onRevoke?.(row)}
        >
          {text('credentials.revoke')}
        </Button>
      </span>
    ),
  };
  return (
    <Table
      label={text('settings.allCredentials')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={[
        {
          id: 'name',
          head: text('credentials.name'),
          cell: (row) => (
            <span className={styles.pair}>
              <b>{row.displayName}</b>
              <code>{row.clientId}</code>
            </span>
          ),
        },
        { id: 'owner', head: text('allCredentials.owner'), narrow: 'second', cell: (row) => <Owner credential={row} /> },
        {
          id: 'may',
          head: text('credentials.may'),
          narrow: 'second',
          cell: (row) => (
            <span className={styles.pair}>
              {(row.scopedRoles ?? []).length === 0
                ? text('allCredentials.allOfOwner')
                : (row.scopedRoles ?? []).map((id) => roles.nameOf(id)).join(', ')}
              <small>
                <From blocks={row.allowSourceCidr ?? []} />
              </small>
            </span>
          ),
        },
        {
          id: 'used',
          head: text('credentials.lastUsed'),
          narrow: 'second',
          cell: (row) => (
            <span className={`${styles.pair} ${styles.line}`}>
              {row.lastUsedAt === undefined ? text('credentials.never') : <When at={row.lastUsedAt} />}
              {row.createdAt === undefined ? null : (
                <small>
                  {text('allCredentials.created')} <When at={row.createdAt} />
                </small>
              )}
            </span>
          ),
        },
        {
          id: 'ends',
          head: text('credentials.ends'),
          narrow: 'second',
          cell: (row) => (
            <span className={styles.line}>
              <Ends at={row.expiresAt} />
            </span>
          ),
        },
        ...(onRevoke === undefined ? [] : [revoking]),
      ]}
    />
  );
}

function Owner({ credential }: { credential: OwnedCredential }) {
  const { kind, ownerDisplayName, ownerEmail, ownerStatus, issuerId } = credential;
  return (
    <span className={styles.pair}>
      <span className={styles.chips}>
        {ownerDisplayName || ownerEmail}
        {ownerStatus === 'DISABLED' ? <Chip kind="warn">{text('roles.disabled')}</Chip> : null}
      </span>
      <small>
        {kind === 'CREDENTIAL_KIND_SERVICE' ? text('allCredentials.program') : issuerId ? text('allCredentials.issued') : ownerEmail}
      </small>
    </span>
  );
}
