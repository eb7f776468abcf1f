/** Sender of mails, whether they can leave at all, which people get, and what came of each. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Load } from '~/parts/states/load.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { TenantPage } from '~/screens/settings/tenant/tenant-page.tsx';
import { Mails } from './mails.tsx';
import { SenderForm } from './sender-form.tsx';
import { TestMail } from './test-mail.tsx';
import { Wishes } from './wishes.tsx';

export function NotificationsPage() {
  const enabled = useMay('settings.read');
  const maySeeMails = useMay('deliveries.read');
  const sender = useQuery({ ...read('TenantEmailProviderService.Get', {}), enabled });
  const able = useQuery({ ...read('TenantEmailProviderService.GetEmailCapabilities', {}), enabled });
  const leaves = able.data?.externalEmailSupported === true;
  return (
    <TenantPage title={text('settings.notifications')} intro={text('notifications.intro')} reads="settings.read" writes="settings.write">
      {(mayWrite) => (
        <>
          {able.isSuccess && !leaves ? <Note kind="warn">{text('notifications.noMail')}</Note> : null}
          <Load query={sender}>{(data) => <SenderForm sender={data.emailProvider ?? {}} mayWrite={mayWrite} />}</Load>
          <Wishes mayWrite={mayWrite} />
          {mayWrite && leaves ? <TestMail /> : null}
          {maySeeMails ? <Mails /> : null}
        </>
      )}
    </TenantPage>
  );
}
