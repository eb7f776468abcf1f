/** A sample of a review's items, drawn by a seed that the auditor chooses, and how to draw it again without us. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, linkOptions, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ExportButton } from '~/app/lists/export-button.tsx';
import { Page } from '~/app/page.tsx';
import { count } from '~/data/count.ts';
import { exportCsv } from '~/data/csv.ts';
import { read, type ReplyOf, type RequestOf } from '~/data/query.ts';
import { reviewQuery } from '~/data/reviews/review.ts';
import { safeFileName } from '~/data/save-file.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { Name } from '~/parts/words/name.tsx';
import { number } from '~/text/format.ts';
import { joinRight } from '~/text/join-names.ts';
import { text } from '~/text/text.ts';
import { populations, type SampleSearch, sampleRoute } from './route.tsx';
import styles from './walkthrough.module.css';

type SampledItem = NonNullable<ReplyOf<'WalkthroughService.DrawSample'>['list']>[number];

const outcomes = { CERTIFIED: 'review.certified', DECERTIFIED: 'review.denied' } as const;
const sayOutcome = ({ outcome = '' }: SampledItem): string =>
  outcome in outcomes ? text(outcomes[outcome as keyof typeof outcomes]) : text('sample.noDecision');

export function SamplePage() {
  const { reviewId } = sampleRoute.useParams();
  const { seed = '', size = '25', of = 'ALL' } = sampleRoute.useSearch();
  const navigate = useNavigate();
  const name = useSuspenseQuery(reviewQuery(reviewId)).data.accessReview?.accessReview?.displayName ?? '';
  const [draft, setDraft] = useState({ seed, size });
  const request: RequestOf<'WalkthroughService.DrawSample'> = {
    accessReviewId: reviewId,
    seed,
    size: Number(size),
    population: `SAMPLE_POPULATION_${of}`,
  };
  const query = useQuery({ ...read('WalkthroughService.DrawSample', request), enabled: seed !== '', retry: false });
  const go = (next: SampleSearch) =>
    void navigate({ to: '/evidence/$reviewId/sample', params: { reviewId }, search: { seed, size, of, ...next }, replace: true });
  const rows = query.data?.list ?? [];
  return (
    <Page
      title={text('sample.title')}
      before={
        <Link to="/evidence/$reviewId" params={{ reviewId }}>
          {name}
        </Link>
      }
      actions={
        rows.length === 0 ? null : (
          <ExportButton
            run={(onRows) =>
              exportCsv(
                `${safeFileName(`${name} ${seed}`)}.csv`,
                'WalkthroughService.DrawSample',
                request,
                ({ list }) => list ?? [],
                [
                  { head: 'place', value: (row) => row.place },
                  { head: 'task_id', value: (row) => row.taskId },
                  { head: 'number', value: (row) => row.numericId },
                  { head: 'rank_sha256', value: (row) => row.rank },
                  { head: 'app', value: (row) => row.appDisplayName },
                  { head: 'account', value: (row) => row.account },
                  { head: 'person', value: (row) => row.person },
                  { head: 'resource', value: (row) => row.resource },
                  { head: 'entitlement', value: (row) => row.entitlement },
                  { head: 'outcome', value: (row) => row.outcome },
                ],
                onRows,
              )
            }
          />
        )
      }
      width="bare"
    >
      <FilterBar>
        <TextField
          label={text('sample.seed')}
          value={draft.seed}
          maxLength={200}
          onChange={(value) => setDraft({ ...draft, seed: value })}
          onKeyDown={(event) => (event.key === 'Enter' ? go(draft) : undefined)}
        />
        <CountField
          label={text('sample.size')}
          min={1}
          max={1000}
          value={draft.size}
          onWhole={(value) => setDraft({ ...draft, size: value })}
        />
        <Select
          label={text('sample.of')}
          value={of}
          onChange={(value) => go({ of: value })}
          options={populations.map((value) => ({ value, label: text(`sample.from.${value}`) }))}
        />
        <Button variant="primary" disabledReason={draft.seed === '' ? text('sample.needsSeed') : undefined} onClick={() => go(draft)}>
          {text('sample.draw')}
        </Button>
      </FilterBar>
      {seed === '' ? (
        <Empty icon="list" title={text('sample.none')}>
          {text('sample.noneNext')}
        </Empty>
      ) : (
        <Table
          label={text('sample.title')}
          query={query}
          empty={<Empty icon="list" title={text('sample.nothing')} />}
          rows={rows}
          rowKey={(row) => row.taskId ?? ''}
          rowLink={(row) => linkOptions({ to: '/evidence/$reviewId/items/$taskId', params: { reviewId, taskId: row.taskId ?? '' } })}
          columns={(column) => [
            column('item', text('sample.item'), (row) => `${row.place ?? ''}. ${text('sample.number', { number: count(row.numericId) })}`),
            column('who', text('review.who'), (row) => <Name>{row.person || row.account}</Name>, { least: 'name' }),
            column('app', text('review.app'), (row) => <Name>{row.appDisplayName}</Name>, { narrow: 'second' }),
            column('access', text('sample.access'), (row) => <Name>{joinRight(row.appDisplayName, row.resource, row.entitlement)}</Name>, {
              narrow: 'second',
              least: 'words',
            }),
            column('outcome', text('sample.outcome'), sayOutcome, { align: 'end' }),
          ]}
        />
      )}
      <section className={styles.how}>
        <h2>{text('sample.how')}</h2>
        <p>{text('sample.howWhat')}</p>
        <p>
          <code>{'sha256(seed + "/" + task_id)'}</code>
        </p>
        {query.data === undefined ? null : (
          <p className={styles.quiet}>
            {text('sample.population', { population: number(count(query.data.population)) })} <code>{query.data.populationSha256}</code>
          </p>
        )}
      </section>
    </Page>
  );
}
