/** The templates: how often each makes a review, when the next one comes, and how many there were. */
import { linkOptions } from '@tanstack/react-router';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Page } from '~/app/page.tsx';
import { useMay } from '~/data/session/session.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import { scheduleWords } from './words.ts';
import { templatesQuery } from './route.tsx';

export function TemplatesPage() {
  const list = useInfiniteQuery(templatesQuery);
  const mayCreate = useMay('reviews.create');
  const rows = list.data?.pages.flatMap((page) => page.list ?? []) ?? [];
  return (
    <Page title={text('nav.templates')}>
      <Table
        query={list}
        empty={
          <Empty
            icon="calendar"
            title={text('templates.none')}
            action={mayCreate ? <ButtonLink to="/reviews">{text('templates.toReviews')}</ButtonLink> : undefined}
          >
            {text('templates.noneNext')}
          </Empty>
        }
        label={text('nav.templates')}
        rows={rows}
        rowKey={(row) => row.id ?? ''}
        rowLink={(row) => linkOptions({ to: '/templates/$id', params: { id: row.id ?? '' } })}
        columns={(column) => [
          column('name', text('templates.name'), (row) => <b>{row.displayName}</b>),
          column('schedule', text('templates.schedule'), scheduleWords, { narrow: 'second' }),
          column(
            'next',
            text('templates.next'),
            (row) => (row.isCampaignScheduleEnabled ? <When at={row.nextScheduledCampaignAt} /> : null),
            { narrow: 'second' },
          ),
          column('made', text('templates.made'), (row) => row.occurrences ?? 0, { narrow: 'hide', align: 'end' }),
        ]}
      />
    </Page>
  );
}
