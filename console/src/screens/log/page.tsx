/** The system log, newest first: between two days, by one person, of one kind of objects or one object; and all of that as a file. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { eventGroups } from '~/data/log/event-groups.ts';
import { ExportEvents } from '~/app/events/export-events.tsx';
import { EventList } from '~/app/events/event-list.tsx';
import { useTyped } from '~/app/lists/use-typed.ts';
import { Page } from '~/app/page.tsx';
import { changeSearch } from '~/app/search.ts';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { readEvents } from '~/data/log/events.ts';
import { searchPeople } from '~/data/inventory/find.ts';
import { useNames } from '~/data/names.ts';
import { text } from '~/text/text.ts';
import styles from './log.module.css';
import { LogState } from './log-state.tsx';
import { type LogSearch, logRoute } from './route.tsx';
import { eventsQuery, eventsRequest } from './events-query.ts';

export function LogPage() {
  const search = logRoute.useSearch();
  const navigate = useNavigate();
  const { since, until, actor, of, object } = search;
  const request = eventsRequest(search);
  const query = useInfiniteQuery(eventsQuery(search));
  const names = useNames([actor]);
  const events = (query.data?.pages ?? []).flatMap(readEvents);
  const go = (next: LogSearch) =>
    void navigate({
      to: '/log',
      search: changeSearch(next),
      replace: true,
    });
  return (
    <Page title={text('nav.log')} width="bare" actions={<ExportEvents name={text('nav.log')} request={request} />}>
      <FilterBar>
        <DateField
          label={text('log.since')}
          value={since ?? ''}
          onWhole={(value) => go({ since: value })}
          onClear={() => go({ since: undefined })}
        />
        <DateField
          label={text('log.until')}
          value={until ?? ''}
          onWhole={(value) => go({ until: value })}
          onClear={() => go({ until: undefined })}
        />
        <Combobox
          label={text('log.actor')}
          value={actor === undefined ? undefined : { id: actor, label: names.get(actor) ?? '' }}
          onChange={(next) => go({ actor: next?.id })}
          search={searchPeople}
        />
        <Select
          label={text('events.about')}
          value={of ?? ''}
          onChange={(value) => go({ of: value === '' ? undefined : value })}
          options={[
            { value: '', label: text('events.allKinds') },
            ...eventGroups.map((type) => ({ value: type, label: text(`events.group.${type}`) })),
          ]}
        />
        <TextField label={text('log.object')} {...useTyped(object, (value) => go({ object: value }))} />
      </FilterBar>
      <LogState />
      <div className={styles.events}>
        {query.isPending ? <Skeleton rows={10} /> : null}
        {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
        {query.isSuccess && events.length === 0 ? <Empty icon="history" title={text('log.none')} /> : <EventList events={events} />}
        <Pages query={query} />
      </div>
    </Page>
  );
}
