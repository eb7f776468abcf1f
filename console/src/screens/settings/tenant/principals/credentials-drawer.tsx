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
import { text } from '../../../../text/text.ts';
import { Ends } from '../../credentials/ends.tsx';
import type { MadeCredential } from '../../credentials/types.ts';
import styles from '../tenant.module.css';
import { NewCredentialForm } from './new-credential-form.tsx';
import type { Principal, PrincipalCredential } from './principal.ts';

interface CredentialsDrawerProps {
  readonly principal: Principal;
  readonly mayWrite: boolean;
  readonly onClose: () => void;
  readonly onMade: (made: MadeCredential) => void;
}

export function CredentialsDrawer({ principal, mayWrite, onClose, onMade }: CredentialsDrawerProps) {
  const servicePrincipalId = principal.id ?? '';
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
                      <Ends at={row.expiresAt} />
                    </small>
                  </span>
                  {mayWrite ? (
                    <Button
                      variant="danger"
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
        {mayWrite ? <NewCredentialForm principalId={servicePrincipalId} onMade={onMade} /> : null}
      </div>
    </Drawer>
  );
}
