/** Population of a review, to be tied out: its scope and apps, what was left out by name and why, and the hashes of both. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { sayEndedWithoutPerson } from '~/app/reviews/ended-without-person.ts';
import { count } from '~/data/count.ts';
import { useAccountNames } from '~/data/inventory/inventory-names.ts';
import { useEntitlementNames } from '~/data/names.ts';
import { useNamesAt } from '~/data/names-at.ts';
import { read, readPages } from '~/data/query.ts';
import type { Review } from '~/data/reviews/review.ts';
import { Name } from '~/parts/words/name.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { exactTime, number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './evidence.module.css';
import { sayScope } from './scope-words.ts';

interface PopulationProps {
  readonly reviewId: string;
  readonly review: Review;
  /** All items of the review. */
  readonly items: number;
}

export function Population({ reviewId, review, items }: PopulationProps) {
  const of = { accessReviewId: reviewId };
  const apps = useInfiniteQuery(readPages('ReviewProgressService.ListApps', { ...of, pageSize: 100 }));
  const rows = (apps.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  const exclusions = useQuery({ ...read('ReviewScopeListService.Get', of), retry: false }).data?.scopeLists?.exclusions ?? [];
  const inApp = (appId: string | undefined, id: string | undefined) => ({ appId: appId ?? '', id: id ?? '' });
  const rights = useEntitlementNames(exclusions.flatMap((one) => (one.entitlementId ? [inApp(one.appId, one.entitlementId)] : [])));
  const accounts = useAccountNames(exclusions.flatMap((one) => (one.accountId ? [inApp(one.appId, one.accountId)] : [])));
  // As they were called when the review froze whom it left out.
  const nameAt = useNamesAt(exclusions.map(({ id }) => [id, review.connectorSourcesFrozenAt]));
  const nameOf = ({ id = '', entitlementId = '', accountId = '' }: (typeof exclusions)[number]): string =>
    [rights.get(entitlementId) || entitlementId, accounts.get(accountId) || accountId, nameAt(id, review.connectorSourcesFrozenAt) || id]
      .filter(Boolean)
      .join(' · ');
  const hashes = useQuery({ ...read('ReviewSelectionService.ListSelections', { ...of, pageSize: 1 }), retry: false }).data;
  return (
    <section className={styles.tied}>
      <h2>{text('evidence.population')}</h2>
      <p className={styles.quiet}>
        {text(apps.hasNextPage ? 'evidence.populationMany' : 'evidence.populationWhat', {
          items,
          apps: rows.length,
          at: review.connectorSourcesFrozenAt ? exactTime(review.connectorSourcesFrozenAt) : '–',
        })}
      </p>
      <h3>{text('evidence.scope')}</h3>
      <p>
        {sayScope(
          review,
          rows.map((row) => row.displayName || row.key || ''),
        ).join(' ')}
      </p>
      <Table
        label={text('evidence.population')}
        rows={rows}
        rowKey={(row) => row.key ?? ''}
        columns={(column) => [
          column('app', text('review.app'), (row) => <Name>{row.displayName || row.key}</Name>, { least: 'name' }),
          column('items', text('review.items'), (row) => number(count(row.total)), { align: 'end' }),
          column('certified', text('review.certified'), (row) => number(count(row.byPeople) - count(row.deniedByPeople)), {
            align: 'end',
            narrow: 'hide',
          }),
          column('denied', text('review.denied'), (row) => number(count(row.deniedByPeople)), { align: 'end', narrow: 'hide' }),
          column(
            'otherwise',
            text('review.otherwise'),
            (row) => <span className={styles.quiet}>{sayEndedWithoutPerson(row).join(', ')}</span>,
            {
              narrow: 'second',
            },
          ),
          column('open', text('review.undecided'), (row) => number(count(row.open)), { align: 'end', narrow: 'hide' }),
        ]}
      />
      <Pages query={apps} />
      <h3>{text('evidence.leftOut')}</h3>
      {exclusions.length === 0 ? <p className={styles.quiet}>{text('evidence.leftOutNone')}</p> : null}
      <ul className={styles.population}>
        {exclusions.map((one) => (
          <li key={JSON.stringify(one)}>
            <Name>{nameOf(one)}</Name>
            <small>{one.reason}</small>
          </li>
        ))}
      </ul>
      {hashes?.inputHash ? (
        <dl className={styles.hashes}>
          <dt>{text('evidence.inputHash')}</dt>
          <dd>
            <code>{hashes.inputHash}</code>
          </dd>
          <dt>{text('evidence.itemsHash')}</dt>
          <dd>
            <code>{hashes.itemsHash}</code>
          </dd>
        </dl>
      ) : null}
    </section>
  );
}
