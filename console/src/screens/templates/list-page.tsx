/** The templates: how often each makes a review, when the next one comes, and how many there were. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Page } from '../../app/page.tsx';
import { readPages } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { text } from '../../text/text.ts';
import { scheduleWords } from './words.ts';

export function TemplatesPage() {
  const list = useInfiniteQuery(readPages('ReviewTemplateService.List', { pageSize: 100 }));
  const mayCreate = useMay('reviews.create');
  const rows = list.data?.pages.flatMap((page) => page.list ?? []) ?? [];
  return (
    <Page title={text('nav.templates')}>
      {list.isPending ? <Skeleton rows={5} /> : null}
      {list.isError ? <Failed error={list.error} retry={() => void list.refetch()} /> : null}
      {list.isSuccess && rows.length === 0 ? (
        <Empty
          icon="calendar"
          title={text('templates.none')}
          action={mayCreate ? <ButtonLink to="/reviews">{text('templates.toReviews')}</ButtonLink> : undefined}
        >
          {text('templates.noneNext')}
        </Empty>
      ) : null}
      {rows.length === 0 ? null : (
        <Table
          label={text('nav.templates')}
          rows={rows}
          rowKey={(row) => row.id ?? ''}
          rowLink={(row) => `/templates/${row.id}`}
          columns={[
            { id: 'name', head: text('templates.name'), cell: (row) => <b>{row.displayName}</b> },
            { id: 'schedule', head: text('templates.schedule'), narrow: 'second', cell: scheduleWords },
            {
              id: 'next',
              head: text('templates.next'),
              narrow: 'second',
              cell: (row) => (row.isCampaignScheduleEnabled ? <When at={row.nextScheduledCampaignAt} /> : null),
            },
            { id: 'made', head: text('templates.made'), narrow: 'hide', align: 'end', cell: (row) => row.occurrences ?? 0 },
          ]}
        />
      )}
      <Pages query={list} />
    </Page>
  );
}
