/** The credentials of a service principal, beside the page: what there is, taking one away, and a new one. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { messageOf, useAct } from '../../../../data/act.ts';
import { rowsOf } from '../../../../data/pages.ts';
import { readPages } from '../../../../data/query.ts';
import { Button } from '../../../../parts/button.tsx';
import { Drawer } from '../../../../parts/drawer.tsx';
import { Load } from '../../../../parts/load.tsx';
import { Note } from '../../../../parts/note.tsx';
import { Pages } from '../../../../parts/pages.tsx';
import { When } from '../../../../parts/when.tsx';
import { text } from '../../../../text/text.ts';
import { Ends } from '../../credentials/ends.tsx';
import type { MadeCredential } from '../../credentials/types.ts';
import { From } from '../../credentials/from.tsx';
import type { KnownRoles } from '../roles/use-roles.ts';
import styles from '../tenant.module.css';
import { NewCredentialForm } from './new-credential-form.tsx';
import type { Principal, PrincipalCredential } from './principal.ts';

interface CredentialsDrawerProps {
  readonly principal: Principal;
  readonly roles: KnownRoles;
  readonly mayWrite: boolean;
  readonly onClose: () => void;
  readonly onMade: (made: MadeCredential) => void;
}

export function CredentialsDrawer({ principal, roles, mayWrite, onClose, onMade }: CredentialsDrawerProps) {
  const servicePrincipalId = principal.id ?? '';
  const held = (principal.user?.roleIds ?? []).map((id) => ({ id, name: roles.nameOf(id) }));
  const list = useInfiniteQuery(readPages('ServicePrincipalService.ListCredentials', { servicePrincipalId, pageSize: 50 }));
  const revoke = useAct('ServicePrincipalService.RevokeCredential', 'ServicePrincipalService.ListCredentials');
  return (
    <Drawer
      open
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title={text('principals.credentialsOf', { name: principal.displayName ?? '' })}
    >
      <div className={styles.form}>
        <Load query={list} empty={<p className={styles.hint}>{text('principals.noCredential')}</p>}>
          {() => (
            <ul className={styles.list}>
              {rowsOf<PrincipalCredential>(list.data).map((row) => (
                <li key={row.id} className={styles.row}>
                  <span className={styles.pair}>
                    <b>{row.displayName}</b>
                    <code>{row.clientId}</code>
                    <small>
                      {(row.scopedRoleIds ?? []).length === 0
                        ? text('principals.allRoles')
                        : (row.scopedRoleIds ?? []).map((id) => roles.nameOf(id)).join(', ')}
                    </small>
                    <small className={styles.facts}>
                      <Ends at={row.expiresAt} />
                      <span>
                        {text('principals.from')} <From blocks={row.allowSourceCidrs ?? []} />
                      </span>
                      <span>
                        {text('credentials.lastUsed')}{' '}
                        {row.lastUsedAt === undefined ? text('principals.neverUsed') : <When at={row.lastUsedAt} />}
                      </span>
                    </small>
                  </span>
                  {mayWrite ? (
                    <Button
                      variant="danger"
                      aria-label={text('allCredentials.revokeOne', { name: row.displayName ?? '' })}
                      busy={revoke.isPending && revoke.variables.id === row.id}
                      onClick={() => revoke.mutate({ servicePrincipalId, id: row.id ?? '' })}
                    >
                      {text('principals.revoke')}
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
          )}
        </Load>
        <Pages query={list} />
        {revoke.isError ? <Note kind="fault">{messageOf(revoke.error)}</Note> : null}
        {mayWrite ? <NewCredentialForm principalId={servicePrincipalId} held={held} onMade={onMade} /> : null}
      </div>
    </Drawer>
  );
}
