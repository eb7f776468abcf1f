/** Grants of one app that were held on days nobody had certified, each with those days. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ExportButton } from '~/app/lists/export-button.tsx';
import { Page } from '~/app/page.tsx';
import { count } from '~/data/count.ts';
import { exportCsv } from '~/data/csv.ts';
import { useAppNames } from '~/data/names.ts';
import { pageRows } from '~/data/pages.ts';
import { read, readPages, type ReplyOf } from '~/data/query.ts';
import { safeFileName } from '~/data/save-file.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { Name } from '~/parts/words/name.tsx';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './coverage.module.css';
import { dayBefore, listMonths, sayShare } from './days.ts';
import { MonthMap } from './month-map.tsx';
import { PeriodBar } from './period-bar.tsx';
import { gapsRoute, periodOf } from './route.tsx';

type Gap = NonNullable<NonNullable<ReplyOf<'CoverageService.ListGaps'>['list']>[number]['gaps']>[number];

/** Gaps that are said; more stand in the file. */
const mostSaid = 3;

function sayGaps(gaps: readonly Gap[]): string {
  const said = gaps
    .slice(0, mostSaid)
    .map(({ fromDay = '', untilDay }) => text('coverage.gap', { from: fromDay, until: dayBefore(untilDay) }));
  return [...said, ...(gaps.length > mostSaid ? [text('coverage.moreGaps', { count: gaps.length - mostSaid })] : [])].join(', ');
}

export function GapsPage() {
  const { appId } = gapsRoute.useParams();
  const search = gapsRoute.useSearch();
  const name = useAppNames([appId]).get(appId) ?? '';
  const request = { appId, ...periodOf(search), pageSize: 100 };
  const sum = useQuery({ ...read('CoverageService.Get', { appId, ...periodOf(search) }), retry: false }).data;
  const query = useInfiniteQuery(readPages('CoverageService.ListGaps', request));
  const months = listMonths(sum?.period?.fromDay, dayBefore(sum?.period?.untilDay));
  return (
    <Page
      title={name}
      before={
        <Link to="/coverage" search={search}>
          {text('nav.coverage')}
        </Link>
      }
      width="bare"
      actions={
        <ExportButton
          run={(onRows) =>
            exportCsv(
              `${safeFileName(`coverage ${name}`)}.csv`,
              'CoverageService.ListGaps',
              request,
              ({ list }) => (list ?? []).flatMap((grant) => (grant.gaps ?? []).map((gap) => ({ grant, gap }))),
              [
                { head: 'entitlement_id', value: ({ grant }) => grant.appEntitlementId },
                { head: 'entitlement', value: ({ grant }) => grant.entitlementDisplayName },
                { head: 'account_id', value: ({ grant }) => grant.appUserId },
                { head: 'account', value: ({ grant }) => grant.account },
                { head: 'person_id', value: ({ grant }) => grant.userId },
                { head: 'person', value: ({ grant }) => grant.userDisplayName },
                { head: 'appeared_at', value: ({ grant }) => grant.appearedAt },
                { head: 'ended_at', value: ({ grant }) => grant.endedAt },
                { head: 'gap_from', value: ({ gap }) => gap.fromDay },
                { head: 'gap_until', value: ({ gap }) => gap.untilDay },
              ],
              onRows,
            )
          }
        />
      }
    >
      <PeriodBar search={search} appId={appId} period={sum?.period} />
      <div className={styles.page}>
        {sum === undefined ? null : (
          <section>
            <h2>{text('coverage.appSum', { share: sayShare(sum.days) })}</h2>
            <MonthMap months={months} held={sum.months ?? []} />
            <p className={styles.quiet}>{text('coverage.what', { days: sum.period?.validDays ?? 0 })}</p>
          </section>
        )}
        <section>
          <h2>{text('coverage.gaps')}</h2>
          <Table
            label={text('coverage.gaps')}
            query={query}
            empty={<Empty icon="check" title={text('coverage.noGaps')} />}
            rows={pageRows(query.data)}
            rowKey={(row) => `${row.appEntitlementId} ${row.appUserId} ${row.appearedAt}`}
            columns={(column) => [
              column('who', text('review.who'), (row) => <Name>{row.userDisplayName || row.account}</Name>, { least: 'name' }),
              column('right', text('coverage.right'), (row) => <Name>{row.entitlementDisplayName}</Name>, {
                narrow: 'second',
                least: 'words',
              }),
              column('gaps', text('coverage.gapDays'), (row) => sayGaps(row.gaps ?? []), { narrow: 'second' }),
              column('days', text('coverage.notCovered'), (row) => number(count(row.days?.notCovered)), { align: 'end' }),
            ]}
          />
        </section>
      </div>
    </Page>
  );
}
