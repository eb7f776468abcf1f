/** Sends one mail and says what the receiving server answered. */
import { useState } from 'react';
import { useForm } from '~/app/forms/use-form.ts';
import { call, type ReplyOf } from '~/data/query.ts';
import { TextField } from '~/parts/fields/text-field.tsx';
import { Note } from '~/parts/states/note.tsx';
import { FormSection } from '~/screens/settings/tenant/form-section.tsx';
import { text } from '~/text/text.ts';

export function TestMail() {
  const [tested, setTested] = useState<ReplyOf<'TenantEmailProviderService.Test'>>();
  const form = useForm({
    values: { testRecipientEmail: '' },
    isTrial: true,
    send: ({ testRecipientEmail }) => {
      setTested(undefined);
      return call('TenantEmailProviderService.Test', { testRecipientEmail: testRecipientEmail.trim() });
    },
    stale: ['MailService.List'],
    onSent: setTested,
  });
  const isSent = tested?.success === true;
  const outcome =
    tested === undefined ? null : (
      <Note kind={isSent ? 'ok' : 'fault'}>{tested.message || text(isSent ? 'notifications.testSent' : 'notifications.testFailed')}</Note>
    );
  return (
    <FormSection form={form} title={text('notifications.test')} action={text('notifications.sendTest')} isPrimary={false} outcome={outcome}>
      <TextField {...form.at('testRecipientEmail')} type="email" label={text('notifications.testTo')} />
    </FormSection>
  );
}
