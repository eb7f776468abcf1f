/** Coverage of all apps in a period: the sum, a map of apps and months, and what requirements ask for. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { ExportButton } from '~/app/lists/export-button.tsx';
import { Page } from '~/app/page.tsx';
import { count } from '~/data/count.ts';
import { exportCsv } from '~/data/csv.ts';
import { pageRows } from '~/data/pages.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Sums } from '~/parts/tables/sums.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { Name } from '~/parts/words/name.tsx';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './coverage.module.css';
import { dayBefore, listMonths, sayShare, shareOf } from './days.ts';
import { MonthMap } from './month-map.tsx';
import { PeriodBar } from './period-bar.tsx';
import { Requirements } from './requirements.tsx';
import { appsQuery, appsRequest, coverageQuery, coverageRoute } from './route.tsx';

export function CoveragePage() {
  const search = coverageRoute.useSearch();
  const sum = useQuery(coverageQuery(search));
  const apps = useInfiniteQuery(appsQuery(search));
  const rows = pageRows(apps.data);
  const { period, days } = sum.data ?? {};
  const lastDay = dayBefore(period?.untilDay);
  const months = listMonths(period?.fromDay, lastDay);
  return (
    <Page
      title={text('nav.coverage')}
      width="bare"
      actions={
        <ExportButton
          run={(onRows) =>
            exportCsv(
              'coverage.csv',
              'CoverageService.ListApps',
              appsRequest(search),
              ({ list }) => (list ?? []).flatMap((app) => (app.months ?? []).map((month) => ({ app, month }))),
              [
                { head: 'app_id', value: ({ app }) => app.appId },
                { head: 'app', value: ({ app }) => app.appDisplayName },
                { head: 'month', value: ({ month }) => month.month },
                { head: 'certified_days', value: ({ month }) => count(month.days?.certified) },
                { head: 'removed_days', value: ({ month }) => count(month.days?.removed) },
                { head: 'not_covered_days', value: ({ month }) => count(month.days?.notCovered) },
              ],
              onRows,
            )
          }
        />
      }
    >
      <PeriodBar search={search} period={period} />
      {sum.isError ? <Failed error={sum.error} retry={() => void sum.refetch()} /> : null}
      <div className={styles.page}>
        {period === undefined ? null : (
          <section>
            <h2>
              {text('coverage.sum', {
                share: sayShare(days),
                from: period.fromDay ?? '',
                until: lastDay,
              })}
            </h2>
            <p className={styles.quiet}>{text('coverage.what', { days: period.validDays ?? 0 })}</p>
            <div className={styles.sums}>
              <Sums
                label={text('nav.coverage')}
                parts={[
                  { id: 'certified', words: text('coverage.certified'), value: count(days?.certified) },
                  { id: 'removed', words: text('coverage.removed'), value: count(days?.removed) },
                  { id: 'not', words: text('coverage.notCovered'), value: count(days?.notCovered) },
                  { id: 'all', words: text('coverage.all'), value: shareOf(days).all, isTotal: true },
                ]}
              />
            </div>
          </section>
        )}
        <section>
          <h2>{text('coverage.apps')}</h2>
          <p className={styles.quiet}>{text('coverage.mapWhat')}</p>
          <Table
            label={text('coverage.apps')}
            query={apps}
            empty={<Empty icon="grid" title={text('coverage.none')} />}
            rows={rows}
            rowKey={(row) => row.appId ?? ''}
            rowLink={(row) => linkOptions({ to: '/coverage/$appId', params: { appId: row.appId ?? '' }, search })}
            columns={(column) => [
              column('app', text('review.app'), (row) => <Name>{row.appDisplayName}</Name>, { least: 'name' }),
              column('map', text('coverage.map'), (row) => <MonthMap months={months} held={row.months ?? []} />, { narrow: 'second' }),
              column('gap', text('coverage.notCovered'), (row) => number(count(row.days?.notCovered)), { align: 'end', narrow: 'hide' }),
              column('share', text('coverage.share'), (row) => sayShare(row.days), { align: 'end' }),
            ]}
          />
        </section>
        <Requirements />
      </div>
    </Page>
  );
}
