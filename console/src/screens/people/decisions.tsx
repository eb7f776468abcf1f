/** What reviews decided about a person's access, newest first. */
import { Link } from '@tanstack/react-router';
import { type GrantDecision, type PersonGrant, usePersonGrants } from '../../data/person-grants.ts';
import { useMay } from '../../data/session.ts';
import { Chip } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { date } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './people.module.css';

interface DecisionRow {
  readonly grant: PersonGrant;
  readonly decision: GrantDecision;
}

export function Decisions({ userId }: { userId: string }) {
  const mayOpen = useMay('policies.read');
  const { query, grants } = usePersonGrants(userId, true);
  const byTask = new Map<string, DecisionRow>();
  for (const grant of grants) {
    for (const decision of grant.decisions ?? []) {
      byTask.set(decision.taskId ?? '', { grant, decision });
    }
  }
  const rows = [...byTask.values()].sort((a, b) => String(b.decision.decidedAt).localeCompare(String(a.decision.decidedAt)));
  return (
    <Load query={query}>
      {() =>
        rows.length === 0 ? (
          <Empty icon="list" title={text('people.noDecisions')} />
        ) : (
          <Table
            label={text('people.tab.reviews')}
            rows={rows}
            rowKey={({ decision }) => decision.taskId ?? ''}
            columns={[
              {
                id: 'what',
                head: text('people.right'),
                cell: ({ grant }) => (
                  <span className={styles.two}>
                    <Name>{grant.entitlementDescription || grant.entitlement}</Name>
                    <small>
                      <Name>{grant.appDisplayName}</Name>
                    </small>
                  </span>
                ),
              },
              { id: 'outcome', head: text('people.outcome'), cell: ({ decision }) => <Outcome decision={decision} /> },
              {
                id: 'by',
                head: text('people.decidedBy'),
                narrow: 'second',
                cell: ({ decision }) =>
                  decision.decidedBy ? <Name>{decision.decidedBy}</Name> : decision.decidedByUserId ? '–' : text('people.byClose'),
              },
              {
                id: 'review',
                head: text('people.inReview'),
                narrow: 'hide',
                cell: ({ decision }) =>
                  mayOpen ? (
                    <Link to={`/reviews/${decision.accessReviewId}/progress` as string}>
                      <Name>{decision.reviewDisplayName}</Name>
                    </Link>
                  ) : (
                    <Name>{decision.reviewDisplayName}</Name>
                  ),
              },
              { id: 'when', head: text('people.when'), narrow: 'second', cell: ({ decision }) => <When at={decision.decidedAt} /> },
            ]}
          />
        )
      }
    </Load>
  );
}

function Outcome({ decision }: { decision: GrantDecision }) {
  return decision.outcome !== 'CERTIFIED' ? (
    <Chip kind="no">{text('people.denied')}</Chip>
  ) : decision.certifyUntil === undefined ? (
    <Chip kind="ok">{text('people.certified')}</Chip>
  ) : (
    <Chip kind="ok">{text('people.certifiedUntil', { date: date(decision.certifyUntil) })}</Chip>
  );
}
