/** A link by mail, for whoever has no provider: the address, and afterwards where to look. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { askForLink } from '../../data/sign-in.ts';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/note.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { text } from '../../text/text.ts';
import styles from './sign-in.module.css';
import { failureText } from './words.ts';

export function MailLink({ to, isFirst }: { to: string | undefined; isFirst: boolean }) {
  const [email, setEmail] = useState('');
  const [isMissing, setMissing] = useState(false);
  const ask = useMutation({ mutationFn: () => askForLink(email.trim(), to) });
  const send = (event: FormEvent) => {
    event.preventDefault();
    const isGood = /^\S+@\S+$/.test(email.trim());
    setMissing(!isGood);
    if (isGood && !ask.isPending) {
      ask.mutate();
    }
  };
  if (ask.isSuccess) {
    return (
      <div role="status">
        <Note kind="info">
          {text('signIn.mailSent', { email: email.trim() })}
          <button type="button" className={styles.other} onClick={() => ask.reset()}>
            {text('signIn.otherAddress')}
          </button>
        </Note>
      </div>
    );
  }
  const error = isMissing ? text('signIn.addressNeeded') : ask.isError ? failureText(ask.error) : undefined;
  return (
    <form className={styles.mail} onSubmit={send} noValidate>
      <div>
        <TextField
          label={text('signIn.mailAddress')}
          type="email"
          value={email}
          onChange={setEmail}
          autoFocus={isFirst}
          {...(error === undefined ? {} : { error })}
        />
      </div>
      <div className={styles.send}>
        <Button type="submit" busy={ask.isPending}>
          {text('signIn.sendLink')}
        </Button>
      </div>
      <p className={styles.mailHint}>{text('signIn.mailHint')}</p>
    </form>
  );
}
