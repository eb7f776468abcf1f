/** The items of a review with what became of each; some of them can be passed on to somebody else. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { linkOptions, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { SearchBox } from '~/app/lists/search-box.tsx';
import { changeSearch } from '~/app/search.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { Menu } from '~/parts/over/menu.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { useNamesAt } from '~/data/names-at.ts';
import { useNames } from '~/data/names.ts';
import { readPages, type RequestOf } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { text } from '~/text/text.ts';
import { ItemsTable } from './items-table.tsx';
import { ItemStory } from './item-story.tsx';
import { type Item, readItems } from '~/app/reviews/item.ts';
import { ActDialog } from './act-dialog.tsx';
import { actionsFor, actionWords, type TaskAction } from './task-action.ts';
import type { TabProps } from '~/screens/review/props.ts';
import { ReassignDialog } from '~/screens/review/acts/reassign-dialog.tsx';
import type { ReviewSearch } from '~/screens/review/route.tsx';
import { reviewRoute } from '~/screens/review/route.tsx';

type Filter = Partial<RequestOf<'TaskService.Search'>>;

const filterOf: Readonly<Record<string, Filter>> = {
  open: { taskStates: ['TASK_STATE_OPEN'] },
  certified: { certifyOutcomes: ['CERTIFY_OUTCOME_CERTIFIED'] },
  denied: { certifyOutcomes: ['CERTIFY_OUTCOME_DECERTIFIED'] },
};

export function ItemsTab({ reviewId, view }: TabProps) {
  const search = reviewRoute.useSearch();
  const { show, reviewer, q, item } = search;
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [passing, setPassing] = useState<readonly Item[]>();
  const [acting, setActing] = useState<{ readonly action: TaskAction; readonly items: readonly Item[] }>();
  const unselect = (ids: readonly string[]) => setSelected((now) => new Set([...now].filter((id) => !ids.includes(id))));
  const change = (parts: ReviewSearch) => {
    setSelected(new Set());
    void navigate({ to: '/reviews/$reviewId/$tab', params: { reviewId, tab: 'items' }, search: changeSearch(parts), replace: true });
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
  const items = (query.data?.pages ?? []).flatMap(readItems);
  const nameAt = useNamesAt(
    items.flatMap(({ askedIds, decidedById, decidedIssuerId, decidedAt }) =>
      [...askedIds, decidedById, decidedIssuerId].map((id) => [id, decidedAt] as const),
    ),
  );
  const names = useNames([reviewer]);
  const mayPass = view.accessReview?.state === 'ACCESS_REVIEW_STATE_OPEN' && view.objectPermissions?.edit === true;
  // The server holds cancelling to Super Administrators, who alone change settings.
  const isSuper = useMay('settings.write');
  const chosen = items.filter(({ id }) => selected.has(id));
  // What some of them do not allow is done to the others: the button says to how many.
  const allowing = (action: TaskAction) => chosen.filter((one) => actionsFor(one, isSuper).includes(action));
  const possible = (['remind', 'skip', 'restart', 'reset', 'cancel'] as const).filter((action) => allowing(action).length > 0);
  const open = chosen.filter(({ isOpen }) => isOpen);
  const entryOf = (action: TaskAction, of: readonly Item[], label: string) => ({
    label,
    danger: action === 'cancel',
    onSelect: () => setActing({ action, items: of }),
  });
  return (
    <>
      <FilterBar>
        <SearchBox label={text('review.findItem')} value={q} onChange={(value) => change({ q: value })} />
        <Segments
          label={text('review.show')}
          value={show ?? 'all'}
          onChange={(value) => change({ show: value === 'all' ? undefined : (value as 'open') })}
          options={[
            { value: 'all', label: text('review.all') },
            { value: 'open', label: text('review.undecided') },
            { value: 'certified', label: text('review.certified') },
            { value: 'denied', label: text('review.denied') },
          ]}
        />
        {reviewer ? (
          <Button variant="quiet" icon="cross" onClick={() => change({ reviewer: undefined })}>
            {text('review.askedOf', { name: names.get(reviewer) ?? '' })}
          </Button>
        ) : null}
        {mayPass && selected.size > 0 ? (
          <>
            {open.length > 0 ? (
              <Button icon="swap" onClick={() => setPassing(open)}>
                {text('review.passOn', { count: open.length })}
              </Button>
            ) : null}
            <Menu
              label={text('review.moreWithItems', { count: selected.size })}
              trigger={<Button icon="dots">{text('review.moreWithItems', { count: selected.size })}</Button>}
              items={possible.map((action) => {
                const of = allowing(action);
                const { label, title } = actionWords[action];
                return entryOf(action, of, of.length < chosen.length ? text(title, { count: of.length }) : text(label));
              })}
            />
          </>
        ) : null}
      </FilterBar>
      <ItemsTable
        query={query}
        empty={<Empty icon="filter" title={text('review.noItems')} />}
        items={items}
        nameAt={nameAt}
        linkOf={(id) => linkOptions({ to: '/reviews/$reviewId/$tab', params: { reviewId, tab: 'items' }, search: { ...search, item: id } })}
        {...(mayPass
          ? {
              selected,
              onSelect: setSelected,
              menuOf: (item: Item) => actionsFor(item, isSuper).map((action) => entryOf(action, [item], text(actionWords[action].label))),
            }
          : {})}
      />
      {acting === undefined ? null : <ActDialog {...acting} onClose={() => setActing(undefined)} onDone={unselect} />}
      {passing === undefined ? null : <ReassignDialog items={passing} onClose={() => setPassing(undefined)} onDone={unselect} />}
      {item === undefined ? null : (
        <ItemStory key={item} reviewId={reviewId} review={view.accessReview ?? {}} id={item} onClose={() => change({ item: undefined })} />
      )}
    </>
  );
}
