/** Step-up providers: at which identity providers people sign in once more before they sign. */
import { useSend } from '~/data/act.ts';
import { leaveTo } from '~/data/leave-to.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageRows } from '~/data/pages.ts';
import { call, forget, readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { text } from '~/text/text.ts';
import { ConfirmDialog } from '~/screens/settings/tenant/confirm-dialog.tsx';
import { Fault } from '~/screens/settings/tenant/fault.tsx';
import { stepUpRoute } from '~/screens/settings/route.tsx';
import { TenantPage } from '~/screens/settings/tenant/tenant-page.tsx';
import { ProviderDrawer } from './provider-drawer.tsx';
import type { StepUpProvider } from './provider.ts';
import { ProviderTable } from './table.tsx';
import { TestResult } from './test-result.tsx';

export function StepUpPage() {
  const { transaction } = stepUpRoute.useSearch();
  const mayRead = useMay('settings.read');
  const list = useInfiniteQuery({ ...readPages('StepUpProviderService.List', { pageSize: 50 }), enabled: mayRead });
  const [editing, setEditing] = useState<StepUpProvider | 'new'>();
  const rows = pageRows<StepUpProvider>(list.data);
  const [leaving, setLeaving] = useState<StepUpProvider>();
  const test = useSend({
    mutationFn: ({ id = '' }: StepUpProvider) => call('StepUpProviderService.Test', { id }),
    onSuccess: ({ redirectUrl = '' }) => leaveTo(redirectUrl),
  });
  const action = (
    <Button variant="primary" icon="plus" onClick={() => setEditing('new')}>
      {text('stepUp.new')}
    </Button>
  );
  return (
    <TenantPage title={text('settings.stepUp')} intro={text('stepUp.intro')} reads="settings.read" writes="settings.write" action={action}>
      {(mayWrite) => (
        <>
          {transaction === undefined ? null : <TestResult id={transaction} />}
          <Fault of={test.error} />
          <ProviderTable
            query={list}
            empty={
              <Empty icon="key" title={text('stepUp.none')} action={mayWrite ? action : undefined}>
                {text('stepUp.noneNext')}
              </Empty>
            }
            rows={rows}
            mayWrite={mayWrite}
            onTest={(provider) => test.mutate(provider)}
            onEdit={setEditing}
            onDelete={setLeaving}
          />
          {editing === undefined ? null : (
            <ProviderDrawer
              provider={editing === 'new' ? undefined : (rows.find(({ id }) => id === editing.id) ?? editing)}
              onClose={() => setEditing(undefined)}
            />
          )}
          {leaving === undefined ? null : (
            <ConfirmDialog
              title={text('providers.deleteTitle', { name: leaving.displayName ?? '' })}
              words={text('stepUp.deleteWords')}
              action={text('providers.delete')}
              done={text('providers.deleted', { name: leaving.displayName ?? '' })}
              run={async () => {
                await call('StepUpProviderService.Delete', { id: leaving.id ?? '' });
                await forget('StepUpProviderService.List');
              }}
              onClose={() => setLeaving(undefined)}
            />
          )}
        </>
      )}
    </TenantPage>
  );
}
