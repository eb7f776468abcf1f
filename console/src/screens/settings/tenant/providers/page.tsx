/** By which identity providers people sign in. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageRows } from '~/data/pages.ts';
import { call, forget, readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { text } from '~/text/text.ts';
import { ConfirmDialog } from '~/screens/settings/tenant/confirm-dialog.tsx';
import { TenantPage } from '~/screens/settings/tenant/tenant-page.tsx';
import { ProviderDrawer } from './provider-drawer.tsx';
import type { Provider } from './provider.ts';
import { RedirectDialog } from './redirect-dialog.tsx';
import { ProviderTable } from './table.tsx';

export function ProvidersPage() {
  const mayRead = useMay('settings.read');
  const list = useInfiniteQuery({ ...readPages('TenantAuthConfigService.List', { pageSize: 50 }), enabled: mayRead });
  const [editing, setEditing] = useState<Provider | 'new'>();
  const [made, setMade] = useState<{ id: string; name: string }>();
  const [leaving, setLeaving] = useState<Provider>();
  const rows = pageRows<Provider>(list.data);
  const action = (
    <Button variant="primary" icon="plus" onClick={() => setEditing('new')}>
      {text('providers.new')}
    </Button>
  );
  return (
    <TenantPage
      title={text('settings.providers')}
      intro={text('providers.intro')}
      reads="settings.read"
      writes="settings.write"
      action={action}
    >
      {(mayWrite) => (
        <>
          <ProviderTable
            query={list}
            empty={
              <Empty icon="key" title={text('providers.none')} action={mayWrite ? action : undefined}>
                {text('providers.noneNext')}
              </Empty>
            }
            rows={rows}
            mayWrite={mayWrite}
            onEdit={setEditing}
            onDelete={setLeaving}
          />
          {editing === undefined ? null : (
            <ProviderDrawer
              provider={editing === 'new' ? undefined : (rows.find(({ id }) => id === editing.id) ?? editing)}
              onClose={() => setEditing(undefined)}
              onMade={setMade}
            />
          )}
          {made === undefined ? null : <RedirectDialog {...made} onDone={() => setMade(undefined)} />}
          {leaving === undefined ? null : (
            <ConfirmDialog
              title={text('providers.deleteTitle', { name: leaving.displayName ?? '' })}
              words={text('providers.deleteWords')}
              action={text('providers.delete')}
              done={text('providers.deleted', { name: leaving.displayName ?? '' })}
              run={async () => {
                await call('TenantAuthConfigService.Delete', { id: leaving.id ?? '' });
                await forget('TenantAuthConfigService.List');
              }}
              onClose={() => setLeaving(undefined)}
            />
          )}
        </>
      )}
    </TenantPage>
  );
}
