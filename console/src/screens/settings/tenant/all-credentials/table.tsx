/** The credentials of everybody: name and client id, owner, what each may do and from where, its last use and its end. */
import type { ReplyOf } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Table, type TableStates } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import { Ends } from '~/screens/settings/credentials/ends.tsx';
import { From } from '~/screens/settings/credentials/from.tsx';
import type { KnownRoles } from '~/screens/settings/tenant/roles/use-roles.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';

export type OwnedCredential = NonNullable<ReplyOf<'CredentialService.Search'>['list']>[number];

interface AllCredentialsTableProps extends TableStates {
  readonly rows: readonly OwnedCredential[];
  readonly roles: KnownRoles;
  /** Undefined for those who may not. */
  readonly onRevoke: ((credential: OwnedCredential) => void) | undefined;
}

export function AllCredentialsTable({ rows, roles, onRevoke, ...states }: AllCredentialsTableProps) {
  return (
    <Table
      {...states}
      label={text('settings.allCredentials')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={(column) => [
        column('name', text('credentials.name'), (row) => (
          <span className={styles.pair}>
            <b>{row.displayName}</b>
            <code>{row.clientId}</code>
          </span>
        )),
        column('owner', text('allCredentials.owner'), (row) => <Owner credential={row} />, { narrow: 'second' }),
        column(
          'may',
          text('credentials.may'),
          (row) => (
            <span className={styles.pair}>
              {(row.scopedRoles ?? []).length === 0
                ? text('allCredentials.allOfOwner')
                : (row.scopedRoles ?? []).map((id) => roles.nameOf(id)).join(', ')}
              <small>
                <From blocks={row.allowSourceCidr ?? []} />
              </small>
            </span>
          ),
          { narrow: 'second' },
        ),
        column(
          'used',
          text('credentials.lastUsed'),
          (row) => (
            <span className={`${styles.pair} ${styles.line}`}>
              {row.lastUsedAt === undefined ? text('credentials.never') : <When at={row.lastUsedAt} />}
              {row.createdAt === undefined ? null : (
                <small>
                  {text('allCredentials.created')} <When at={row.createdAt} />
                </small>
              )}
            </span>
          ),
          { narrow: 'second' },
        ),
        column(
          'ends',
          text('credentials.ends'),
          (row) => (
            <span className={`${styles.pair} ${styles.line}`}>
              <Ends at={row.expiresAt} />
              {row.suspendedAt === undefined ? null : (
                <span className={styles.chips}>
                  <Chip kind="warn">{text('allCredentials.suspended')}</Chip>
                  <small>
                    <When at={row.suspendedAt} prefix={text('allCredentials.since')} />
                  </small>
                </span>
              )}
            </span>
          ),
          { narrow: 'second' },
        ),
        ...(onRevoke === undefined
          ? []
          : [
              column(
                'revoke',
                '',
                (row) => (
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
                { align: 'end' },
              ),
            ]),
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
