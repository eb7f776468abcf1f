/** A printed or mailed link: it is spent by a button, since programs that scan mails open every address. */
import { useSend } from '~/data/act.ts';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { spendLink } from '~/data/session/sign-in.ts';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import styles from './sign-in.module.css';
import { failureText } from './words.ts';

export function SpendLink({ token }: { token: string }) {
  const router = useRouter();
  const button = useRef<HTMLButtonElement>(null);
  const spend = useSend({
    mutationFn: () => spendLink(token),
    // The link leaves the history with this page.
    onSuccess: (to) => router.navigate({ href: to, replace: true }),
  });
  useEffect(() => button.current?.focus(), []);
  if (spend.isError) {
    return (
      <div className={styles.ways} role="alert">
        <Note kind="fault">{failureText(spend.error)}</Note>
        <Link to="/sign-in" search={{}} replace className={styles.plain}>
          {text('signIn.otherWay')}
        </Link>
      </div>
    );
  }
  return (
    <div className={styles.ways}>
      <button
        ref={button}
        type="button"
        className={styles.primary}
        aria-disabled={spend.isPending}
        onClick={() => {
          if (!spend.isPending) {
            spend.mutate();
          }
        }}
      >
        {text(spend.isPending ? 'signIn.signingIn' : 'signIn.signIn')}
      </button>
      <p className={styles.hint}>{text('signIn.linkHint')}</p>
    </div>
  );
}
