/** Beside an app: who owns it, what stands out, when it was looked at, and how its files went. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SyncList } from '~/app/syncs/sync-list.tsx';
import { SyncDrawer } from '~/app/syncs/sync-drawer.tsx';
import { type App, count } from '~/data/inventory/inventory.ts';
import { useReviewsByApp } from '~/data/reviews/last-reviews.ts';
import { useMay } from '~/data/session/session.ts';
import { read } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './apps.module.css';
import { Owners } from './owners.tsx';
import { useState } from 'react';

const shown = 5;

export function AppSide({ app, onEdit }: { app: App; onEdit: (() => void) | undefined }) {
  const id = app.id ?? '';
  const [opened, setOpened] = useState<string | undefined>();
  // What an owner without a role may not read is neither asked for nor shown as none.
  const mayReadAll = useMay('inventory.read');
  const mayReadPolicies = useMay('policies.read');
  const { byApp } = useReviewsByApp();
  const [running, last] = [
    byApp.get(id)?.find(({ review }) => review.closedAt === undefined),
    byApp.get(id)?.find(({ review }) => review.closedAt !== undefined),
  ];
  const unowned = useQuery({ ...read('IdentityService.ListUnownedAccounts', { appId: id, pageSize: 100 }), enabled: mayReadAll }).data;
  const policy = useQuery({
    ...read('PolicyService.Get', { id: app.certifyPolicyId ?? '' }),
    enabled: mayReadPolicies && Boolean(app.certifyPolicyId),
  }).data?.policy;
  const syncs = useQuery({ ...read('ImportService.List', { appId: id, pageSize: 100 }), enabled: mayReadAll }).data;
  const unownedCount = unowned?.list?.length ?? 0;
  return (
    <aside className={styles.side} aria-label={text('apps.facts')}>
      <Facts
        rows={[
          {
            term: text('apps.owner'),
            children: (
              <span className={styles.owner}>
                <Owners people={app.appOwners} />
                {onEdit === undefined ? null : (
                  <Button variant="quiet" onClick={onEdit}>
                    {text('apps.change')}
                  </Button>
                )}
              </span>
            ),
          },
          { term: text('apps.accounts'), children: number(count(app.userCount)) },
          ...(unownedCount === 0
            ? []
            : [
                {
                  term: text('apps.unowned'),
                  children: (
                    <Link className={styles.less} to="/quality/$tab" params={{ tab: 'nobody' }} search={{ app: id }}>
                      {unowned?.nextPageToken
                        ? text('apps.accountsOver', { count: number(unownedCount) })
                        : text('apps.accountsCount', { count: unownedCount })}
                    </Link>
                  ),
                },
              ]),
          ...(policy?.displayName ? [{ term: text('apps.policy'), children: <Name>{policy.displayName}</Name> }] : []),
          ...(mayReadAll
            ? [
                {
                  term: text('apps.lastReview'),
                  children: last?.review.closedAt === undefined ? text('apps.never') : <When at={last.review.closedAt} />,
                },
              ]
            : []),
          ...(running === undefined
            ? []
            : [
                {
                  term: text('apps.nowReviewed'),
                  children: (
                    <Link to="/reviews/$reviewId/$tab" params={{ reviewId: running.review.accessReviewId ?? '', tab: 'progress' }}>
                      <Name>{running.review.displayName}</Name>
                    </Link>
                  ),
                },
              ]),
        ]}
      />
      {(syncs?.list ?? []).length === 0 ? null : (
        <section>
          <h3>
            {text('apps.tab.syncs')}
            <Link to="/apps/$app/$tab" params={{ app: id, tab: 'syncs' }}>
              {text('apps.allSyncs')}
            </Link>
          </h3>
          <SyncList syncs={(syncs?.list ?? []).slice(0, shown).map((view) => view.import ?? {})} onOpen={setOpened} />
        </section>
      )}
      {opened === undefined ? null : <SyncDrawer id={opened} onClose={() => setOpened(undefined)} />}
    </aside>
  );
}
