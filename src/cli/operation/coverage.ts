/** `countersign coverage show|apps|gaps|requirements`: on which days access was held that a person had certified. */
import { type CoverageDaysJson, CoverageService } from '../../gen/countersign/v1/coverage_pb.js';
import { sayPercent } from '../../lib/shares/percent.ts';
import type { Commands } from '../frame/commands.ts';
import type { CsvColumn } from '../frame/csv.ts';
import { findAppId } from '../frame/find.ts';
import { count, formatTable } from '../frame/io.ts';

const period = {
  '--from <day>': { text: 'first day, YYYY-MM-DD; without it a year before the end', field: 'fromDay' },
  '--until <day>': { text: 'the day after the last; without it today is the last', field: 'untilDay' },
  '--valid <days>': { text: 'days for which a certification is valid', parse: Number, field: 'validDays', fallback: 365 },
} as const;

const cellsOf = ({ certified, removed, notCovered }: CoverageDaysJson = {}): string[] => [
  count(certified),
  count(removed),
  count(notCovered),
  percent(certified, removed, notCovered),
];

function percent(certified: unknown, removed: unknown, notCovered: unknown): string {
  const [good, all] = [
    Number(certified ?? 0) + Number(removed ?? 0),
    Number(certified ?? 0) + Number(removed ?? 0) + Number(notCovered ?? 0),
  ];
  return all === 0 ? '-' : sayPercent(good, all, 1);
}

const dayColumns = <Row extends { days?: CoverageDaysJson }>(): CsvColumn<Row>[] => [
  ['certifiedDays', ({ days }) => String(days?.certified ?? 0)],
  ['removedDays', ({ days }) => String(days?.removed ?? 0)],
  ['notCoveredDays', ({ days }) => String(days?.notCovered ?? 0)],
];

/** Adds the `coverage` commands. */
export function addCoverageCommands(group: Commands): void {
  group.call('show', {
    description: 'sum the days on which access was held, month by month',
    options: { ...period, '--app <app>': { text: 'of this app alone, by name or id', field: 'appId', find: findAppId } },
    method: CoverageService.method.get,
    text: ({ period: counted, days, months = [] }) => [
      `${counted?.fromDay ?? ''} to ${counted?.untilDay ?? ''}, a certification is valid for ${counted?.validDays ?? 0} days`,
      '',
      formatTable(
        ['MONTH', 'CERTIFIED', 'REMOVED', 'NOT COVERED', 'COVERED'],
        [...months.map((month) => [month.month ?? '', ...cellsOf(month.days)]), ['all', ...cellsOf(days)]],
      ),
    ],
  });
  group.list('apps', {
    description: 'list the apps with their days',
    options: {
      ...period,
      '--limit <number>': { text: 'at most so many', parse: Number, fallback: 50 },
      '--csv': 'print all as CSV, month by month',
    },
    method: CoverageService.method.listApps,
    csv: [['appId', ({ appId }) => appId], ['appDisplayName', ({ appDisplayName }) => appDisplayName], ...dayColumns()],
    text: (list) =>
      formatTable(
        ['APP', 'CERTIFIED', 'REMOVED', 'NOT COVERED', 'COVERED'],
        list.map(({ appDisplayName, days }) => [appDisplayName ?? '', ...cellsOf(days)]),
      ),
  });
  group.list('gaps', {
    description: 'list the grants of an app that were held on days nobody had certified',
    options: {
      '--app <app>': { text: 'name or id of the app', needed: true, field: 'appId', find: findAppId },
      ...period,
      '--limit <number>': { text: 'at most so many', parse: Number, fallback: 50 },
      '--csv': 'print all as CSV',
    },
    method: CoverageService.method.listGaps,
    csv: [
      ['appEntitlementId', ({ appEntitlementId }) => appEntitlementId],
      ['entitlement', ({ entitlementDisplayName }) => entitlementDisplayName],
      ['appUserId', ({ appUserId }) => appUserId],
      ['account', ({ account }) => account],
      ['person', ({ userDisplayName }) => userDisplayName],
      ['appearedAt', ({ appearedAt }) => appearedAt],
      ['endedAt', ({ endedAt }) => endedAt],
      ...dayColumns(),
      ['gaps', ({ gaps = [] }) => gaps.map(({ fromDay, untilDay }) => `${fromDay ?? ''}/${untilDay ?? ''}`).join(' ')],
    ],
    text: (list) =>
      formatTable(
        ['ENTITLEMENT', 'ACCOUNT', 'DAYS', 'GAPS'],
        list.map(({ entitlementDisplayName, account, days, gaps = [] }) => [
          entitlementDisplayName ?? '',
          account ?? '',
          count(days?.notCovered),
          gaps.map(({ fromDay, untilDay }) => `${fromDay ?? ''} to ${untilDay ?? ''}`).join(', '),
        ]),
      ),
  });
  group.call('requirements', {
    description: 'show what the facts say about the reviews that PCI DSS, SOX, SOC 2 and ISO 27001 ask for; no claim of compliance',
    method: CoverageService.method.listRequirements,
    text: ({ list = [] }) =>
      formatTable(
        ['REQUIREMENT', 'DAYS', 'APPS REVIEWED', 'GRANTS CERTIFIED', 'REMOVALS PROVEN', 'OPEN'],
        list.map((one) => [
          (one.requirement ?? '').replace('COVERAGE_REQUIREMENT_', ''),
          String(one.intervalDays ?? 0),
          `${count(one.appsReviewed)} of ${count(one.apps)}`,
          `${count(one.grantsCertified)} of ${count(one.grants)}`,
          `${count(one.removalsProven)} of ${count(one.removals)}`,
          count(one.removalsOpen),
        ]),
      ),
  });
}
