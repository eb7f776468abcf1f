/** Events of a review since it was made, out of the system log. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { ExportEvents } from '~/app/events/export-events.tsx';
import { EventList } from '~/app/events/event-list.tsx';
import { readEvents } from '~/data/log/events.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { text } from '~/text/text.ts';
import type { TabProps } from './props.ts';

export function HistoryTab({ reviewId, view }: TabProps) {
  const mayRead = useMay('systemlog.read');
  const request = { accessReviewId: reviewId, sortDirection: 'SORT_DIRECTION_DESC' as const };
  const query = useInfiniteQuery({
    ...readPages('SystemLogService.ListEvents', { ...request, pageSize: 100 }),
    enabled: mayRead,
  });
  if (!mayRead) {
    return (
      <Empty icon="history" title={text('review.noHistory')}>
        {text('review.noHistoryNext')}
      </Empty>
    );
  }
  if (query.isPending) {
    return <Skeleton rows={8} />;
  }
  if (query.isError) {
    return <Failed error={query.error} retry={() => void query.refetch()} />;
  }
  const events = query.data.pages.flatMap(readEvents);
  return (
    <>
      <FilterBar>
        <ExportEvents name={view.accessReview?.displayName ?? ''} request={request} />
      </FilterBar>
      {events.length === 0 ? <Empty icon="history" title={text('review.noEvents')} /> : <EventList events={events} />}
      <Pages query={query} />
    </>
  );
}
