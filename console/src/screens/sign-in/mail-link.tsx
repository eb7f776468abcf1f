/** A link by mail, for whoever has no provider: the address, and afterwards where to look. */
import { useState } from 'react';
import { Form } from '~/app/forms/form.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { askForLink } from '~/data/session/sign-in.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import styles from './sign-in.module.css';
import { failureText } from './words.ts';

export function MailLink({ to, isFirst }: { to: string | undefined; isFirst: boolean }) {
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({
    values: { email: '' },
    isTrial: true,
    send: ({ email }) => askForLink(email.trim(), to),
    onSent: (_, { email }) => setSentTo(email.trim()),
    wordsOf: failureText,
  });
  if (sentTo !== undefined) {
    return (
      <div role="status">
        <Note kind="info">
          {text('signIn.mailSent', { email: sentTo })}
          <button type="button" className={styles.other} onClick={() => setSentTo(undefined)}>
            {text('signIn.otherAddress')}
          </button>
        </Note>
      </div>
    );
  }
  return (
    <Form form={form} className={styles.mail}>
      <div>
        <TextField
          {...form.at('email', (email) => (/^\S+@\S+$/.test(email.trim()) ? undefined : text('signIn.addressNeeded')))}
          label={text('signIn.mailAddress')}
          type="email"
          autoComplete="email"
          autoFocus={isFirst}
        />
      </div>
      <div className={styles.send}>
        <Button type="submit" busy={form.isBusy}>
          {text('signIn.sendLink')}
        </Button>
      </div>
      <p className={styles.mailHint}>{text('signIn.mailHint')}</p>
    </Form>
  );
}
