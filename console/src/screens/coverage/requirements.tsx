/** Requirements that ask for access reviews, with the facts that bear on each. No claim of compliance is made of them. */
import { useQuery } from '@tanstack/react-query';
import { count } from '~/data/count.ts';
import type { ReplyOf } from '~/data/query.ts';
import { Failed } from '~/parts/states/failed.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import type { ByValue } from '~/text/by-value.ts';
import { date } from '~/text/format.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './coverage.module.css';
import { requirementsQuery } from './route.tsx';

type Finding = NonNullable<ReplyOf<'CoverageService.ListRequirements'>['list']>[number];

const names: ByValue<Finding['requirement'], readonly [name: PlainTextKey, what: PlainTextKey]> = {
  COVERAGE_REQUIREMENT_PCI_DSS_7_2_4: ['coverage.pci', 'coverage.pciWhat'],
  COVERAGE_REQUIREMENT_SOX_404: ['coverage.sox', 'coverage.soxWhat'],
  COVERAGE_REQUIREMENT_SOC2_CC6: ['coverage.soc2', 'coverage.soc2What'],
  COVERAGE_REQUIREMENT_ISO_27001_A_5_18: ['coverage.iso', 'coverage.isoWhat'],
};

function sayUnreviewed(unreviewed: NonNullable<Finding['unreviewed']>): string {
  return unreviewed
    .map(({ appDisplayName = '', lastReviewedAt }) =>
      lastReviewedAt === undefined
        ? text('coverage.never', { app: appDisplayName })
        : text('coverage.last', { app: appDisplayName, at: date(lastReviewedAt, true) }),
    )
    .join(', ');
}

function Requirement({ finding }: { finding: Finding }) {
  const [name, what] = names[finding.requirement ?? ''] ?? [];
  const { intervalDays: days = 0, unreviewed = [] } = finding;
  return (
    <li>
      <h3>{name === undefined ? String(finding.requirement) : text(name)}</h3>
      <p className={styles.quiet}>
        {what === undefined ? '' : text(what)}{' '}
        {text(finding.isIntervalNamed ? 'coverage.intervalNamed' : 'coverage.intervalUsual', { days })}
      </p>
      <p>{text('coverage.appsReviewed', { part: count(finding.appsReviewed), whole: count(finding.apps), days })}</p>
      {unreviewed.length === 0 ? null : <p>{text('coverage.unreviewed', { apps: sayUnreviewed(unreviewed) })}</p>}
      <p>{text('coverage.grantsCertified', { part: count(finding.grantsCertified), whole: count(finding.grants) })}</p>
      <p>
        {text('coverage.removalsProven', {
          part: count(finding.removalsProven),
          whole: count(finding.removals),
          open: count(finding.removalsOpen),
        })}
      </p>
    </li>
  );
}

export function Requirements() {
  const query = useQuery(requirementsQuery);
  return (
    <section>
      <h2>{text('coverage.requirements')}</h2>
      <p className={styles.quiet}>{text('coverage.requirementsWhat')}</p>
      {query.isPending ? <Skeleton rows={4} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      <ul className={styles.findings}>
        {(query.data?.list ?? []).map((finding) => (
          <Requirement key={String(finding.requirement)} finding={finding} />
        ))}
      </ul>
    </section>
  );
}
