/** All reviews by state: how far each is, who answers for it, and when it is due. */
import { linkOptions, useNavigate } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { changeSearch } from '~/app/search.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { Tabs } from '~/parts/layout/tabs.tsx';
import { useMay, useSession } from '~/data/session/session.ts';
import { text } from '~/text/text.ts';
import { Filters } from './filters.tsx';
import { allGroups } from './groups.ts';
import { ReviewTable } from './table.tsx';
import { listRoute } from './route.tsx';
import { useGroups } from './use-groups.ts';

export function ReviewsPage() {
  const search = listRoute.useSearch();
  const navigate = useNavigate();
  const mayCreate = useMay('reviews.create');
  // Their records are for those who read the system log.
  const maySeeDeleted = useMay('systemlog.read');
  const found = useGroups(search, useSession()?.userId ?? '');
  const { state, ...rest } = search;
  const { counts } = found;
  const total = counts === undefined ? undefined : allGroups.reduce((sum, { id }) => sum + counts[id], 0);
  const isFiltered = rest.owner !== undefined || rest.app !== undefined || rest.q !== undefined;
  const isNew = total === 0 && !isFiltered;
  const create = mayCreate ? (
    <ButtonLink to="/reviews/new" variant="primary" icon="plus">
      {text('reviews.new')}
    </ButtonLink>
  ) : undefined;
  return (
    <Page
      title={text('nav.reviews')}
      width="bare"
      actions={
        mayCreate ? (
          <>
            {maySeeDeleted ? (
              <ButtonLink to="/reviews/deleted" variant="quiet">
                {text('reviews.deleted')}
              </ButtonLink>
            ) : null}
            <ButtonLink to="/templates" variant="quiet">
              {text('reviews.fromTemplate')}
            </ButtonLink>
            {create}
          </>
        ) : undefined
      }
      tabs={
        <Tabs
          label={text('reviews.byState')}
          items={[
            { link: linkOptions({ to: '/reviews', search: rest }), label: text('reviews.all'), count: total },
            ...allGroups.map(({ id, label }) => ({
              link: linkOptions({ to: '/reviews', search: { ...rest, state: id } }),
              label: text(label),
              count: counts?.[id],
            })),
          ]}
        />
      }
    >
      {isNew && mayCreate ? (
        <Empty icon="list" title={text('reviews.none')} action={create}>
          {text('reviews.noneNext')}
        </Empty>
      ) : null}
      {isNew && !mayCreate ? (
        <Empty icon="list" title={text('reviews.noneOfYours')} action={<ButtonLink to="/">{text('nav.home')}</ButtonLink>}>
          {text('reviews.noneOfYoursNext')}
        </Empty>
      ) : null}
      {isNew ? null : (
        <Filters search={search} onChange={(parts) => void navigate({ to: '/reviews', search: changeSearch(parts), replace: true })} />
      )}
      {found.error ? <Failed error={found.error} retry={found.retry} /> : null}
      {found.isPending && !found.error ? <Skeleton rows={6} /> : null}
      {found.isPending || found.error || isNew ? null : <ReviewTable groups={found.groups} counts={counts} isWhole={state === undefined} />}
    </Page>
  );
}
