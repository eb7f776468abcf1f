/** End of the small window of a sign-in: the page that waits has heard of it, and the window closes. */
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { text } from '~/text/text.ts';
import styles from './page-states.module.css';

export function SignedIn() {
  useEffect(() => window.close(), []);
  return (
    <main className={styles.state}>
      <h1>{text('app.signedIn')}</h1>
      <p>{text('app.signedInNext')}</p>
      <Link to="/">{text('app.toStart')}</Link>
    </main>
  );
}
