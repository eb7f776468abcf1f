/** Retention of reviews, events and reports, the legal holds that stand, and what waits for a second person. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Load } from '~/parts/states/load.tsx';
import { text } from '~/text/text.ts';
import { TenantPage } from '~/screens/settings/tenant/tenant-page.tsx';
import { Holds } from './holds.tsx';
import { Requests } from './requests.tsx';
import { RetentionForm } from './retention-form.tsx';

export function RetentionPage() {
  const retention = useQuery({ ...read('RetentionService.Get', {}), enabled: useMay('settings.read') });
  return (
    <TenantPage title={text('settings.retention')} intro={text('retention.intro')} reads="settings.read" writes="settings.write">
      {(mayWrite) => (
        <>
          <Load query={retention}>{(data) => <RetentionForm retention={data.retention ?? {}} mayWrite={mayWrite} />}</Load>
          <Holds mayWrite={mayWrite} />
          <Requests mayWrite={mayWrite} />
        </>
      )}
    </TenantPage>
  );
}
