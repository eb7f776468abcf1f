/** Notice for a page that could not be shown: what happened, its request id, and the way on. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ClientError } from '~/data/query.ts';
import { text } from '~/text/text.ts';
import styles from './page-states.module.css';

export function Fault({ error, reset }: ErrorComponentProps) {
  const known = error instanceof ClientError ? error : undefined;
  return (
    <main className={styles.state}>
      <h1>{text(known?.status === 0 ? 'app.unreachable' : known?.status === 404 ? 'app.gone' : 'app.fault')}</h1>
      <p>{known === undefined || known.status === 0 || known.status >= 500 ? text('app.faultNext') : known.message}</p>
      {known?.requestId ? <p className={styles.small}>{text('app.requestId', { id: known.requestId })}</p> : null}
      <button type="button" className={styles.again} onClick={reset}>
        {text('app.again')}
      </button>
    </main>
  );
}
