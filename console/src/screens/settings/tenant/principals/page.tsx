/** Programs with a user of their own: their roles, their credentials, and new ones. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import { pageRows } from '~/data/pages.ts';
import { call, forget, readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { text } from '~/text/text.ts';
import { SecretDialog } from '~/screens/settings/credentials/secret-dialog.tsx';
import type { MadeCredential } from '~/screens/settings/credentials/types.ts';
import { ConfirmDialog } from '~/screens/settings/tenant/confirm-dialog.tsx';
import { RolesDialog } from '~/screens/settings/tenant/roles/roles-dialog.tsx';
import { useKnownRoles } from '~/screens/settings/tenant/roles/use-roles.ts';
import { TenantPage } from '~/screens/settings/tenant/tenant-page.tsx';
import type { Principal } from './principal.ts';
import { PrincipalTable } from './table.tsx';

const CredentialsDrawer = lazyPart(() => import('./credentials-drawer.tsx').then(({ CredentialsDrawer: component }) => component));
const NewPrincipal = lazyPart(() => import('./new-principal.tsx').then(({ NewPrincipal: component }) => component));

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
          <PrincipalTable
            query={list}
            empty={
              <Empty icon="bolt" title={text('principals.none')} action={mayWrite ? action : undefined}>
                {text('principals.noneNext')}
              </Empty>
            }
            rows={pageRows<Principal>(list.data)}
            mayWrite={mayWrite}
            onCredentials={setOpened}
            onRoles={setChanging}
            onDelete={setLeaving}
          />
          <Suspense>
            {isMaking ? <NewPrincipal onClose={() => setMaking(false)} onMade={setOpened} /> : null}
            {opened === undefined ? null : (
              <CredentialsDrawer
                principal={opened}
                roles={roles}
                mayWrite={mayWrite}
                onClose={() => setOpened(undefined)}
                onMade={setMade}
              />
            )}
          </Suspense>
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
