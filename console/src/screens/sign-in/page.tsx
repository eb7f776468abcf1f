/** Signing in: who runs this service, the ways in, what went wrong before, and what comes after. */
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { waysInQuery } from '~/data/session/sign-in.ts';
import { Failed } from '~/parts/states/failed.tsx';
import { Emblem } from '~/parts/words/emblem.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { MailLink } from './mail-link.tsx';
import { Providers } from './providers.tsx';
import styles from './sign-in.module.css';
import { SpendLink } from './spend-link.tsx';
import { errorText } from './words.ts';
import { signInRoute } from './route.tsx';

export function SignInPage() {
  const { to, error, fresh } = signInRoute.useSearch();
  // Behind #, which the browser sends to nobody.
  const link = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('link') ?? undefined });
  const ways = useQuery(waysInQuery);
  const name = ways.data?.tenant || text('app.name');
  useEffect(() => {
    document.title = text('app.titled', { title: text('signIn.title') });
  }, []);
  return (
    <div className={styles.page}>
      <main className={styles.column} aria-busy={ways.isPending}>
        <Emblem size={36} className={styles.mark} />
        <h1 className={styles.name}>{name}</h1>
        <p className={styles.purpose}>{text('signIn.purpose')}</p>
        {error === undefined ? null : (
          <div role="alert">
            <Note kind="fault">{errorText(error)}</Note>
          </div>
        )}
        {window.isSecureContext === false ? (
          // Before a link is spent: its session would be lost at once.
          <div role="alert">
            <Note kind="fault">{text('signIn.noTls')}</Note>
          </div>
        ) : link === undefined ? (
          <>
            {ways.isError ? <Failed error={ways.error} retry={() => void ways.refetch()} /> : null}
            {ways.data === undefined ? null : (
              <>
                <Providers providers={ways.data.providers} to={to} isFresh={fresh !== undefined} />
                {ways.data.providers.length > 0 && ways.data.mailLinks ? <p className={styles.or}>{text('signIn.orByMail')}</p> : null}
                {ways.data.mailLinks ? <MailLink to={to} isFirst={ways.data.providers.length === 0} /> : null}
                {ways.data.providers.length === 0 && !ways.data.mailLinks ? <Note kind="info">{text('signIn.noWay')}</Note> : null}
              </>
            )}
          </>
        ) : (
          <SpendLink token={link} />
        )}
        {to === undefined || link !== undefined ? null : (
          <p className={styles.after}>
            <Icon name="inbox" />
            {text(/^\/r(eviews)?\//.test(to) ? 'signIn.afterReview' : 'signIn.afterPage')}
          </p>
        )}
      </main>
      <footer className={styles.foot}>{ways.data?.tenant ? text('signIn.runBy', { name: ways.data.tenant }) : null}</footer>
    </div>
  );
}
