/** The credentials of a service principal, beside the page: what there is, taking one away, and a new one. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { errorMessage, useAct } from '~/data/act.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Drawer } from '~/parts/over/drawer.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import { Ends } from '~/screens/settings/credentials/ends.tsx';
import type { MadeCredential } from '~/screens/settings/credentials/types.ts';
import { From } from '~/screens/settings/credentials/from.tsx';
import type { KnownRoles } from '~/screens/settings/tenant/roles/use-roles.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';
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
              {pageRows<PrincipalCredential>(list.data).map((row) => (
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
        {revoke.isError ? <Note kind="fault">{errorMessage(revoke.error)}</Note> : null}
        {mayWrite ? <NewCredentialForm principalId={servicePrincipalId} held={held} onMade={onMade} /> : null}
      </div>
    </Drawer>
  );
}
