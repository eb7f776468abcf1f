/** Access a person has now, right by right. */
import { Link } from '@tanstack/react-router';
import { beginOf, type PersonGrant, usePersonGrants, withoutDerived } from '~/data/inventory/person-grants.ts';
import { useMay } from '~/data/session/session.ts';
import { Dot } from '~/parts/words/dot.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import styles from './people.module.css';

export function AccessNow({ userId }: { userId: string }) {
  const { query, grants } = usePersonGrants(userId, false);
  const rows = withoutDerived(grants.filter((grant) => grant.endedAt === undefined));
  return (
    <Table
      query={query}
      empty={<Empty icon="key" title={text('people.noAccess')} />}
      label={text('people.tab.now')}
      rows={rows}
      rowKey={(grant) => `${grant.appEntitlementId} ${grant.appUserId} ${grant.appearedAt}`}
      columns={(column) => [
        column('what', text('people.right'), (grant) => <Right grant={grant} />),
        column('app', text('people.app'), (grant) => <AppLink grant={grant} />),
        column('risk', text('people.risk'), (grant) => <Risky grant={grant} />, { narrow: 'hide' }),
        column('since', text('people.since'), (grant) => <When at={beginOf(grant)} />, { narrow: 'hide' }),
        column('used', text('people.lastUsed'), (grant) => <When at={grant.lastUsedAt} />, { narrow: 'second' }),
        column('decision', text('people.lastDecision'), (grant) => <LastDecision grant={grant} />, { narrow: 'second' }),
      ]}
    />
  );
}

function Right({ grant }: { grant: PersonGrant }) {
  return (
    <span className={styles.two}>
      <Name>{grant.entitlementDescription || grant.entitlement}</Name>
      <small>
        <Name>{grant.entitlementDescription ? grant.entitlement : grant.account}</Name>
      </small>
    </span>
  );
}

function AppLink({ grant }: { grant: PersonGrant }) {
  return useMay('inventory.read') ? (
    <Link to="/apps/$app/$tab" params={{ app: grant.appId ?? '', tab: 'entitlements' }}>
      <Name>{grant.appDisplayName}</Name>
    </Link>
  ) : (
    <Name>{grant.appDisplayName}</Name>
  );
}

function Risky({ grant }: { grant: PersonGrant }) {
  return grant.inConflict === true ? (
    <Dot kind="no">{text('people.conflict')}</Dot>
  ) : grant.riskLevel ? (
    <Dot kind={/high|critical|hoch|kritisch/i.test(grant.riskLevel) ? 'no' : 'plain'}>
      <Name>{grant.riskLevel}</Name>
    </Dot>
  ) : (
    '–'
  );
}

function LastDecision({ grant }: { grant: PersonGrant }) {
  const [last] = grant.decisions ?? [];
  return grant.openTaskId ? (
    <span>{text('people.asked')}</span>
  ) : last === undefined ? (
    <span className={styles.quiet}>{text('people.notReviewed')}</span>
  ) : (
    <span className={last.outcome === 'CERTIFIED' ? styles.ok : styles.no}>
      <When at={last.decidedAt} prefix={text(last.outcome === 'CERTIFIED' ? 'people.certified' : 'people.denied')} />
    </span>
  );
}
