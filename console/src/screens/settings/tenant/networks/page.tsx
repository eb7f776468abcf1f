/** Time people stay signed in, and from where they and programs come in. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Load } from '~/parts/states/load.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { text } from '~/text/text.ts';
import { TenantPage } from '~/screens/settings/tenant/tenant-page.tsx';
import { LimitsForm } from './limits-form.tsx';
import { SourcesForm } from './sources-form.tsx';

export function NetworksPage() {
  const enabled = useMay('settings.read');
  const limits = useQuery({ ...read('TenantSettingsService.Get', {}), enabled });
  const settings = useQuery({ ...read('SessionSettingsService.Get', {}), enabled });
  return (
    <TenantPage title={text('settings.networks')} intro={text('networks.intro')} reads="settings.read" writes="settings.write">
      {(mayWrite) => (
        <>
          <Load query={limits} skeleton={<Skeleton rows={3} />}>
            {(data) => <LimitsForm limits={data.settings ?? {}} mayWrite={mayWrite} />}
          </Load>
          <Load query={settings} skeleton={<Skeleton rows={6} />}>
            {(data) => <SourcesForm settings={data.sessionSettings ?? {}} mayWrite={mayWrite} />}
          </Load>
        </>
      )}
    </TenantPage>
  );
}
