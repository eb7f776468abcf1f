/** The items of a review with what became of each; some of them can be passed on to somebody else. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Pages } from '../../parts/pages.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useNames } from '../../data/names.ts';
import { readPages, type RequestOf } from '../../data/query.ts';
import { text } from '../../text/text.ts';
import { ItemsTable } from './items-table.tsx';
import { itemsOf } from './item.ts';
import type { TabProps } from './props.ts';
import { ReassignDialog } from './reassign-dialog.tsx';
import type { ReviewSearch } from './route.tsx';

type Filter = Partial<RequestOf<'TaskService.Search'>>;

const filterOf: Readonly<Record<string, Filter>> = {
  open: { taskStates: ['TASK_STATE_OPEN'] },
  certified: { certifyOutcomes: ['CERTIFY_OUTCOME_CERTIFIED'] },
  denied: { certifyOutcomes: ['CERTIFY_OUTCOME_DECERTIFIED'] },
};

export function ItemsTab({ reviewId, view }: TabProps) {
  const { show, reviewer, q } = useSearch({ strict: false }) as ReviewSearch;
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isPassing, setPassing] = useState(false);
  const change = (next: ReviewSearch) => {
    setSelected(new Set());
    void navigate({ to: `/reviews/${reviewId}/items` as string, search: next as never, replace: true });
  };
  const query = useInfiniteQuery(
    readPages('TaskService.Search', {
      accessReviewIds: [reviewId],
      pageSize: 100,
      expandMask: { paths: ['app_id', 'app_user_id', 'app_entitlement_ids', 'identity_user_id'] },
      ...(filterOf[show ?? ''] ?? {}),
      ...(reviewer ? { assignedOrStepApproverUserId: reviewer } : {}),
      ...(q ? { query: q } : {}),
    }),
  );
  const items = (query.data?.pages ?? []).flatMap(itemsOf);
  const names = useNames([...items.flatMap(({ askedIds }) => askedIds), reviewer]);
  const mayPass = view.accessReview?.state === 'ACCESS_REVIEW_STATE_OPEN' && view.objectPermissions?.edit === true;
  const rest = { ...(reviewer ? { reviewer } : {}), ...(q ? { q } : {}) };
  return (
    <>
      <FilterBar>
        <SearchField
          label={text('review.findItem')}
          value={q ?? ''}
          onChange={(value) => change({ ...(show ? { show } : {}), ...(reviewer ? { reviewer } : {}), ...(value ? { q: value } : {}) })}
          keys="/"
        />
        <Segments
          label={text('review.show')}
          value={show ?? 'all'}
          onChange={(value) => change({ ...rest, ...(value === 'all' ? {} : { show: value as 'open' }) })}
          options={[
            { value: 'all', label: text('review.all') },
            { value: 'open', label: text('review.undecided') },
            { value: 'certified', label: text('review.certified') },
            { value: 'denied', label: text('review.denied') },
          ]}
        />
        {reviewer ? (
          <Button variant="quiet" icon="cross" onClick={() => change({ ...(show ? { show } : {}), ...(q ? { q } : {}) })}>
            {text('review.askedOf', { name: names.get(reviewer) ?? '' })}
          </Button>
        ) : null}
        {mayPass && selected.size > 0 ? (
          <Button icon="swap" onClick={() => setPassing(true)}>
            {text('review.passOn', { count: selected.size })}
          </Button>
        ) : null}
      </FilterBar>
      {query.isPending ? <Skeleton rows={8} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {query.isSuccess && items.length === 0 ? <Empty icon="filter" title={text('review.noItems')} /> : null}
      {items.length > 0 ? (
        <>
          <ItemsTable items={items} names={names} {...(mayPass ? { selected, onSelect: setSelected } : {})} />
          <Pages query={query} />
        </>
      ) : null}
      <ReassignDialog taskIds={[...selected]} isOpen={isPassing} onOpenChange={setPassing} onDone={() => setSelected(new Set())} />
    </>
  );
}
