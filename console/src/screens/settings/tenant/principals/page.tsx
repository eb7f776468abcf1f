/** Programs with a user of their own: their roles, their credentials, and new ones. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rowsOf } from '../../../../data/pages.ts';
import { call, forget, readPages } from '../../../../data/query.ts';
import { useMay } from '../../../../data/session.ts';
import { Button } from '../../../../parts/button.tsx';
import { Empty } from '../../../../parts/empty.tsx';
import { Load } from '../../../../parts/load.tsx';
import { Pages } from '../../../../parts/pages.tsx';
import { text } from '../../../../text/text.ts';
import { SecretDialog } from '../../credentials/secret-dialog.tsx';
import type { MadeCredential } from '../../credentials/types.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { RolesDialog } from '../roles/roles-dialog.tsx';
import { useKnownRoles } from '../roles/use-roles.ts';
import { TenantPage } from '../tenant-page.tsx';
import { CredentialsDrawer } from './credentials-drawer.tsx';
import { NewPrincipal } from './new-principal.tsx';
import type { Principal } from './principal.ts';
import { PrincipalTable } from './table.tsx';

export function PrincipalsPage() {
  const roles = useKnownRoles();
  const list = useInfiniteQuery({
    ...readPages('ServicePrincipalService.List', { pageSize: 50 }),
    enabled: useMay('principals.read'),
  });
  const [isMaking, setMaking] = useState(false);
  const [opened, setOpened] = useState<Principal>();
  const [changing, setChanging] = useState<Principal>();
  const [leaving, setLeaving] = useState<Principal>();
  const [made, setMade] = useState<MadeCredential>();
  const action = (
    <Button variant="primary" icon="plus" onClick={() => setMaking(true)}>
      {text('principals.new')}
    </Button>
  );
  return (
    <TenantPage
      title={text('settings.principals')}
      intro={text('principals.intro')}
      reads="principals.read"
      writes="principals.write"
      action={action}
    >
      {(mayWrite) => (
        <>
          <Load
            query={list}
            empty={
              <Empty icon="bolt" title={text('principals.none')} action={mayWrite ? action : undefined}>
                {text('principals.noneNext')}
              </Empty>
            }
          >
            {() => (
              <PrincipalTable
                rows={rowsOf<Principal>(list.data)}
                mayWrite={mayWrite}
                onCredentials={setOpened}
                onRoles={setChanging}
                onDelete={setLeaving}
              />
            )}
          </Load>
          <Pages query={list} />
          {isMaking ? <NewPrincipal onClose={() => setMaking(false)} onMade={setOpened} /> : null}
          {opened === undefined ? null : (
            <CredentialsDrawer principal={opened} roles={roles} mayWrite={mayWrite} onClose={() => setOpened(undefined)} onMade={setMade} />
          )}
          {made === undefined ? null : <SecretDialog made={made} onDone={() => setMade(undefined)} />}
          {changing === undefined ? null : (
            <RolesDialog
              person={{ ...changing.user, id: changing.user?.id ?? changing.id ?? '', displayName: changing.displayName ?? '' }}
              roles={roles}
              onClose={() => setChanging(undefined)}
            />
          )}
          {leaving === undefined ? null : (
            <ConfirmDialog
              title={text('principals.deleteTitle', { name: leaving.displayName ?? '' })}
              words={text('principals.deleteWords')}
              action={text('principals.delete')}
              done={text('principals.deleted', { name: leaving.displayName ?? '' })}
              run={async () => {
                await call('ServicePrincipalService.Delete', { id: leaving.id ?? '' });
                await forget('ServicePrincipalService.List');
              }}
              onClose={() => setLeaving(undefined)}
            />
          )}
        </>
      )}
    </TenantPage>
  );
}
