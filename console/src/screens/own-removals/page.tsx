/** Denied access that asks me: whether it may be removed, or to remove it. What I say moves it on; a later sync proves it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Page } from '../../app/page.tsx';
import { readPages } from '../../data/query.ts';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Pages } from '../../parts/pages.tsx';
import { text } from '../../text/text.ts';
import type { Answer, Removal } from './answers.ts';
import styles from './own-removals.module.css';
import { RemovalRow } from './removal-row.tsx';
import { SayDialog } from './say-dialog.tsx';

export function OwnRemovalsPage() {
  const query = useInfiniteQuery(readPages('RevocationService.List', { asksMe: true, pageSize: 50 }));
  const [said, setSaid] = useState<{ readonly removal: Removal; readonly answer: Answer } | undefined>();
  return (
    <Page title={text('ownRemovals.title')} width="column">
      <p className={styles.quiet}>{text('ownRemovals.what')}</p>
      <Load
        query={query}
        empty={
          <Empty icon="check" title={text('ownRemovals.none')}>
            {text('ownRemovals.noneNext')}
          </Empty>
        }
      >
        {({ pages }) => (
          <>
            <ul className={styles.list}>
              {pages
                .flatMap(({ list }) => list ?? [])
                .map((removal) => (
                  <RemovalRow key={removal.id} removal={removal} onSay={(answer) => setSaid({ removal, answer })} />
                ))}
            </ul>
            <Pages query={query} />
          </>
        )}
      </Load>
      {said === undefined ? null : <SayDialog key={`${said.removal.id} ${said.answer}`} {...said} onClose={() => setSaid(undefined)} />}
    </Page>
  );
}
