/** Sends one mail and says what the receiving server answered. */
import { useState } from 'react';
import { messageOf, useAct, violationOf } from '../../../../data/act.ts';
import { Button } from '../../../../parts/button.tsx';
import { Note } from '../../../../parts/note.tsx';
import { TextField } from '../../../../parts/text-field.tsx';
import { text } from '../../../../text/text.ts';
import { FormSection } from '../form-section.tsx';

export function TestMail() {
  const [address, setAddress] = useState('');
  const test = useAct('TenantEmailProviderService.Test', 'MailService.List');
  const error = violationOf(test.error, 'testRecipientEmail');
  return (
    <FormSection
      title={text('notifications.test')}
      mayWrite
      onSubmit={() => {
        if (!test.isPending) {
          test.mutate({ testRecipientEmail: address.trim() });
        }
      }}
    >
      <TextField type="email" label={text('notifications.testTo')} value={address} onChange={setAddress} error={error} />
      <div>
        <Button type="submit" busy={test.isPending}>
          {text('notifications.sendTest')}
        </Button>
      </div>
      <div role="status">
        {test.data === undefined ? null : (
          <Note kind={test.data.success === true ? 'ok' : 'fault'}>
            {test.data.message || text(test.data.success === true ? 'notifications.testSent' : 'notifications.testFailed')}
          </Note>
        )}
        {test.isError && error === undefined ? <Note kind="fault">{messageOf(test.error)}</Note> : null}
      </div>
    </FormSection>
  );
}
