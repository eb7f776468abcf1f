/** Sender of mails. They leave by the server of the installation, which its operator sets. */
import { useForm } from '~/app/forms/use-form.ts';
import { changeMembers } from '~/data/change.ts';
import type { ReplyOf } from '~/data/query.ts';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { FormSection } from '~/screens/settings/tenant/form-section.tsx';
import { text } from '~/text/text.ts';

type Sender = NonNullable<ReplyOf<'TenantEmailProviderService.Get'>['emailProvider']>;

export function SenderForm({ sender, mayWrite }: { sender: Sender; mayWrite: boolean }) {
  const form = useForm({
    values: {
      fromName: sender.fromName ?? '',
      fromAddress: sender.fromAddress ?? '',
      replyToAddress: sender.replyToAddress ?? '',
    },
    send: ({ fromName, fromAddress, replyToAddress }, before) =>
      changeMembers('TenantEmailProviderService.Update', {}, 'emailProvider', before, {
        fromName: fromName.trim(),
        fromAddress: fromAddress.trim(),
        replyToAddress: replyToAddress.trim(),
      }),
    stale: ['TenantEmailProviderService.Get'],
    onSent: () => toast(text('notifications.saved')),
  });
  return (
    <FormSection form={form} title={text('notifications.sender')} action={text('settings.save')} mayWrite={mayWrite}>
      <TextField {...form.at('fromName')} label={text('notifications.fromName')} />
      <TextField {...form.at('fromAddress')} type="email" label={text('notifications.fromAddress')} hint={text('notifications.fromHint')} />
      <TextField {...form.at('replyToAddress')} type="email" label={text('notifications.replyTo')} hint={text('notifications.replyHint')} />
    </FormSection>
  );
}
