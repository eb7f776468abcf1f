/**
 * Notice for a page that could not be shown: what happened, its request id, and the way on. Where a file of the page did not come, the page is loaded
 * anew by itself, once.
 */
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { isFileLost, loadAnewOnce, lookAtServer } from '~/data/load-anew.ts';
import { ClientError } from '~/data/query.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './page-states.module.css';

export function Fault({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const known = error instanceof ClientError ? error : undefined;
  const isLost = isFileLost(error);
  const [server, setServer] = useState<'away' | 'newer' | 'same'>();
  const look = useCallback(async (load: () => boolean) => {
    const found = await lookAtServer();
    if (found === 'away' || !load()) {
      setServer(found);
    }
  }, []);
  useEffect(() => {
    if (isLost) {
      void look(loadAnewOnce);
    }
  }, [isLost, look]);
  if (isLost && server === undefined) {
    return null;
  }
  const again = (): void => {
    if (isLost) {
      void look(() => {
        window.location.reload();
        return true;
      });
    } else {
      reset();
      void router.invalidate();
    }
  };
  const status = server === 'away' ? 0 : known?.status;
  const title: PlainTextKey =
    server === 'newer' ? 'app.newer' : status === 0 ? 'app.unreachable' : status === 404 ? 'app.gone' : 'app.fault';
  return (
    <main className={styles.state}>
      <h1>{text(title)}</h1>
      <p>
        {server === 'newer'
          ? text('app.newerNext')
          : known === undefined || known.status === 0 || known.status >= 500
            ? text('app.faultNext')
            : known.message}
      </p>
      {known?.requestId ? <p className={styles.small}>{text('app.requestId', { id: known.requestId })}</p> : null}
      <button type="button" className={styles.again} onClick={again}>
        {text('app.again')}
      </button>
    </main>
  );
}
