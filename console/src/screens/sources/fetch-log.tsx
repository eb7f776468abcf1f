/** The end of the log that a connector sent with a fetch, read when somebody opens it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '~/data/query.ts';
import { Load } from '~/parts/states/load.tsx';
import { text } from '~/text/text.ts';
import styles from './sources.module.css';

export function FetchLog({ sourceId, fetchId }: { sourceId: string; fetchId: string }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...read('ConnectorHostService.GetLog', { sourceId, fetchId }), enabled: isOpen });
  return (
    <details className={styles.warnings} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text('fetch.log')}</summary>
      {isOpen ? (
        <Load query={query}>
          {({ log }) =>
            log ? (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keys, too
              <section className={styles.log} tabIndex={0} aria-label={text('fetch.log')}>
                <pre>{log}</pre>
              </section>
            ) : (
              <p className={styles.quiet}>{text('fetch.noLog')}</p>
            )
          }
        </Load>
      ) : null}
    </details>
  );
}
