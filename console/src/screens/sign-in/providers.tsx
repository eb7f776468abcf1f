/** The identity providers of the tenant, each a button; the first is the usual one and has the focus. */
import { useEffect, useRef } from 'react';
import { providerAddress, type WaysIn } from '~/data/session/sign-in.ts';
import { text } from '~/text/text.ts';
import styles from './sign-in.module.css';

export function Providers({ providers, to, isFresh }: { providers: WaysIn['providers']; to: string | undefined; isFresh: boolean }) {
  const first = useRef<HTMLAnchorElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <div className={styles.ways}>
      {providers.map((provider, index) => (
        <a
          key={provider.id}
          ref={index === 0 ? first : undefined}
          href={providerAddress(provider.id, to, isFresh)}
          className={index === 0 ? styles.primary : styles.plain}
        >
          {text('signIn.continueWith', { name: provider.displayName })}
        </a>
      ))}
    </div>
  );
}
