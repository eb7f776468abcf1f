/** Page at an address that leads nowhere. */
import { Link } from '@tanstack/react-router';
import { text } from '~/text/text.ts';
import styles from './page-states.module.css';

export function NotFound() {
  return (
    <main className={styles.state}>
      <h1>{text('app.nothingHere')}</h1>
      <p>{text('app.nothingHereNext')}</p>
      <Link to="/">{text('app.toStart')}</Link>
    </main>
  );
}
