/** The system log, newest first, between two days and by one person. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EventList } from '../../app/event-list.tsx';
import { Page } from '../../app/page.tsx';
import { Combobox } from '../../parts/combobox.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { eventsOf } from '../../data/events.ts';
import { searchPeople } from '../../data/find.ts';
import { useNames } from '../../data/names.ts';
import { readPages } from '../../data/query.ts';
import { text } from '../../text/text.ts';
import styles from './log.module.css';
import type { LogSearch } from './route.tsx';

/** The beginning of a day where the browser is, or of the day after. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

export function LogPage() {
  const search = useSearch({ strict: false }) as LogSearch;
  const navigate = useNavigate();
  const { since, until, actor } = search;
  const query = useInfiniteQuery(
    readPages('SystemLogService.ListEvents', {
      pageSize: 100,
      sortDirection: 'SORT_DIRECTION_DESC',
      ...(since === undefined ? {} : { since: startOf(since) }),
      ...(until === undefined ? {} : { until: startOf(until, 1) }),
      ...(actor === undefined ? {} : { actorId: actor }),
    }),
  );
  const names = useNames([actor]);
  const events = (query.data?.pages ?? []).flatMap(eventsOf);
  const go = (next: Readonly<Record<string, string | undefined>>) =>
    void navigate({
      to: '/log' as string,
      search: Object.fromEntries(Object.entries({ ...search, ...next }).filter(([, value]) => value)) as never,
      replace: true,
    });
  return (
    <Page title={text('nav.log')} width="bare">
      <FilterBar>
        <TextField label={text('log.since')} type="date" value={since ?? ''} onChange={(value) => go({ since: value })} />
        <TextField label={text('log.until')} type="date" value={until ?? ''} onChange={(value) => go({ until: value })} />
        <Combobox
          label={text('log.actor')}
          value={actor === undefined ? undefined : { id: actor, label: names.get(actor) ?? '' }}
          onChange={(next) => go({ actor: next?.id })}
          search={searchPeople}
        />
      </FilterBar>
      <div className={styles.events}>
        {query.isPending ? <Skeleton rows={10} /> : null}
        {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
        {query.isSuccess && events.length === 0 ? <Empty icon="history" title={text('log.none')} /> : <EventList events={events} />}
        <Pages query={query} />
      </div>
    </Page>
  );
}
