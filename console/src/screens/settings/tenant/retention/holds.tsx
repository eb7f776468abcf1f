/** Legal holds that stand: on the company and on reviews. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import { pageRows } from '~/data/pages.ts';
import { useNamesSince } from '~/data/names-since.ts';
import { readPages, type ReplyOf } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { text } from '~/text/text.ts';

type Hold = NonNullable<ReplyOf<'LegalHoldService.List'>['list']>[number];

const SetHold = lazyPart(() => import('~/app/evidence/set-hold.tsx').then(({ SetHold: component }) => component));
const LiftHold = lazyPart(() => import('~/app/evidence/lift-hold.tsx').then(({ LiftHold: component }) => component));

export function Holds({ mayWrite }: { mayWrite: boolean }) {
  const query = useInfiniteQuery({
    ...readPages('LegalHoldService.List', { standingOnly: true, pageSize: 50 }),
    enabled: useMay('settings.read'),
  });
  const since = useNamesSince(pageRows<Hold>(query.data).map(({ setById }) => setById));
  const [isSetting, setSetting] = useState(false);
  const [lifting, setLifting] = useState<string>();
  return (
    <section className={styles.section} aria-labelledby="holds">
      <h3 id="holds">{text('holds.title')}</h3>
      <p className={styles.hint}>{text('holds.intro')}</p>
      <Table
        label={text('holds.title')}
        query={query}
        rows={pageRows<Hold>(query.data)}
        rowKey={({ id }) => id ?? ''}
        empty={<p className={styles.hint}>{text('holds.none')}</p>}
        columns={(column) => [
          column('covers', text('holds.covers'), ({ accessReviewId = '', accessReviewDisplayName }) =>
            accessReviewId === '' ? (
              text('holds.company')
            ) : (
              <Link to="/reviews/$reviewId/$tab" params={{ reviewId: accessReviewId, tab: 'settings' }}>
                {accessReviewDisplayName || text('reviews.unnamed')}
              </Link>
            ),
          ),
          column('reason', text('holds.reason'), ({ reason }) => reason, { least: 'words', narrow: 'second' }),
          column('by', text('holds.by'), ({ setByDisplayName, setById }) => since(setById, setByDisplayName) || setById, {
            narrow: 'second',
          }),
          column('since', text('holds.since'), ({ setAt }) => (setAt === undefined ? null : <When at={setAt} />), { narrow: 'second' }),
          ...(mayWrite
            ? [
                column('lift', '', ({ id = '' }) => <Button onClick={() => setLifting(id)}>{text('holds.lift')}</Button>, {
                  align: 'end',
                }),
              ]
            : []),
        ]}
      />
      {mayWrite ? (
        <div>
          <Button onClick={() => setSetting(true)}>{text('holds.setOnCompany')}</Button>
        </div>
      ) : null}
      <Suspense>
        {isSetting ? <SetHold reviewId="" onClose={() => setSetting(false)} /> : null}
        {lifting === undefined ? null : <LiftHold id={lifting} onClose={() => setLifting(undefined)} />}
      </Suspense>
    </section>
  );
}
