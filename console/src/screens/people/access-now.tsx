/** What a person may do now, right by right. */
import { Link } from '@tanstack/react-router';
import { beginOf, type PersonGrant, usePersonGrants, withoutDerived } from '../../data/person-grants.ts';
import { useMay } from '../../data/session.ts';
import { Dot } from '../../parts/dot.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { text } from '../../text/text.ts';
import styles from './people.module.css';

export function AccessNow({ userId }: { userId: string }) {
  const { query, grants } = usePersonGrants(userId, false);
  const rows = withoutDerived(grants.filter((grant) => grant.endedAt === undefined));
  return (
    <Load query={query}>
      {() =>
        rows.length === 0 ? (
          <Empty icon="key" title={text('people.noAccess')} />
        ) : (
          <>
            <Table
              label={text('people.tab.now')}
              rows={rows}
              rowKey={(grant) => `${grant.appEntitlementId} ${grant.appUserId} ${grant.appearedAt}`}
              columns={[
                { id: 'what', head: text('people.right'), cell: (grant) => <Right grant={grant} /> },
                { id: 'app', head: text('people.app'), cell: (grant) => <AppLink grant={grant} /> },
                { id: 'risk', head: text('people.risk'), narrow: 'hide', cell: (grant) => <Risky grant={grant} /> },
                { id: 'since', head: text('people.since'), narrow: 'hide', cell: (grant) => <When at={beginOf(grant)} /> },
                { id: 'used', head: text('people.lastUsed'), narrow: 'second', cell: (grant) => <When at={grant.lastUsedAt} /> },
                { id: 'decision', head: text('people.lastDecision'), narrow: 'second', cell: (grant) => <LastDecision grant={grant} /> },
              ]}
            />
            <Pages query={query} />
          </>
        )
      }
    </Load>
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
    <Link to={`/apps/${grant.appId}/entitlements` as string}>
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
