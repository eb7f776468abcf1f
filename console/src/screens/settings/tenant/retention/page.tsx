/** How long the files of reports and the content of events are kept. */
import { useQuery } from '@tanstack/react-query';
import { read } from '../../../../data/query.ts';
import { useMay } from '../../../../data/session.ts';
import { Load } from '../../../../parts/load.tsx';
import { text } from '../../../../text/text.ts';
import { TenantPage } from '../tenant-page.tsx';
import { RetentionForm } from './retention-form.tsx';

export function RetentionPage() {
  const retention = useQuery({ ...read('RetentionService.Get', {}), enabled: useMay('settings.read') });
  return (
    <TenantPage title={text('settings.retention')} intro={text('retention.intro')} reads="settings.read" writes="settings.write">
      {(mayWrite) => <Load query={retention}>{(data) => <RetentionForm retention={data.retention ?? {}} mayWrite={mayWrite} />}</Load>}
    </TenantPage>
  );
}
