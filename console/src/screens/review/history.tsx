/** What happened to a review since it was made, out of the system log. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { EventList } from '../../app/event-list.tsx';
import { eventsOf } from '../../data/events.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { readPages } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { text } from '../../text/text.ts';
import type { TabProps } from './props.ts';

export function HistoryTab({ reviewId }: TabProps) {
  const mayRead = useMay('systemlog.read');
  const query = useInfiniteQuery({
    ...readPages('SystemLogService.ListEvents', { pageSize: 100, accessReviewId: reviewId, sortDirection: 'SORT_DIRECTION_DESC' }),
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
  const events = query.data.pages.flatMap(eventsOf);
  return (
    <>
      {events.length === 0 ? <Empty icon="history" title={text('review.noEvents')} /> : <EventList events={events} />}
      <Pages query={query} />
    </>
  );
}
