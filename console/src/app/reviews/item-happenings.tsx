/** Story of an item, the oldest first: who did what, when, in whose place, and what they wrote. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNamesAt } from '~/data/names-at.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { Failed } from '~/parts/states/failed.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { Name } from '~/parts/words/name.tsx';
import { exactTime } from '~/text/format.ts';
import { readItemEvents } from './item-events.ts';
import styles from './item-happenings.module.css';

export function ItemHappenings({ id }: { id: string }) {
  const audits = useInfiniteQuery(readPages('TaskService.List', { taskId: id, pageSize: 100 }));
  const events = readItemEvents(pageRows(audits.data));
  const nameAt = useNamesAt(events.map(({ whoId, at }) => [whoId, at]));
  return (
    <>
      {audits.isPending ? <Skeleton rows={4} /> : null}
      {audits.isError ? <Failed error={audits.error} retry={() => void audits.refetch()} /> : null}
      <ol className={styles.events}>
        {events.map((event) => (
          <li key={event.id}>
            <Icon name={event.icon} />
            <div>
              <p>
                {event.who === '' ? null : (
                  <strong>
                    <Name>{nameAt(event.whoId, event.at) || event.who}</Name>{' '}
                  </strong>
                )}
                {event.what}
              </p>
              {event.comment === '' ? null : <blockquote>{event.comment}</blockquote>}
              <small>{exactTime(event.at)}</small>
            </div>
          </li>
        ))}
      </ol>
      <Pages query={audits} />
    </>
  );
}
