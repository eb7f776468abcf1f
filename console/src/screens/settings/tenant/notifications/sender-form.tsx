/** Whom mails come from. They leave by the server of the installation, which its operator sets. */
import { useState } from 'react';
import { messageOf, useAct, violationOf } from '../../../../data/act.ts';
import type { ReplyOf } from '../../../../data/query.ts';
import { Button } from '../../../../parts/button.tsx';
import { Note } from '../../../../parts/note.tsx';
import { TextField } from '../../../../parts/text-field.tsx';
import { toast } from '../../../../parts/toast.tsx';
import { text } from '../../../../text/text.ts';
import { FormSection } from '../form-section.tsx';

type Sender = NonNullable<ReplyOf<'TenantEmailProviderService.Get'>['emailProvider']>;

export function SenderForm({ sender, mayWrite }: { sender: Sender; mayWrite: boolean }) {
  const [fromName, setName] = useState(sender.fromName ?? '');
  const [fromAddress, setAddress] = useState(sender.fromAddress ?? '');
  const [replyToAddress, setReply] = useState(sender.replyToAddress ?? '');
  const save = useAct('TenantEmailProviderService.Update', 'TenantEmailProviderService.Get');
  const send = () =>
    save.mutate(
      {
        emailProvider: { fromName: fromName.trim(), fromAddress: fromAddress.trim(), replyToAddress: replyToAddress.trim() },
        updateMask: 'fromName,fromAddress,replyToAddress',
      },
      { onSuccess: () => toast(text('notifications.saved')) },
    );
  const errors = {
    name: violationOf(save.error, 'fromName'),
    address: violationOf(save.error, 'fromAddress'),
    reply: violationOf(save.error, 'replyToAddress'),
  };
  const isBeside = save.isError && Object.values(errors).every((one) => one === undefined);
  return (
    <FormSection title={text('notifications.sender')} mayWrite={mayWrite} onSubmit={send}>
      <TextField label={text('notifications.fromName')} value={fromName} onChange={setName} error={errors.name} />
      <TextField
        type="email"
        label={text('notifications.fromAddress')}
        value={fromAddress}
        onChange={setAddress}
        hint={text('notifications.fromHint')}
        error={errors.address}
      />
      <TextField
        type="email"
        label={text('notifications.replyTo')}
        value={replyToAddress}
        onChange={setReply}
        hint={text('notifications.replyHint')}
        error={errors.reply}
      />
      {isBeside ? <Note kind="fault">{messageOf(save.error)}</Note> : null}
      {mayWrite ? (
        <div>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {text('settings.save')}
          </Button>
        </div>
      ) : null}
    </FormSection>
  );
}
