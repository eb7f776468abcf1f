/** Decisions of reviews about a person's access, newest first. */
import { Link } from '@tanstack/react-router';
import { type GrantDecision, type PersonGrant, usePersonGrants } from '~/data/inventory/person-grants.ts';
import { useNamesSince } from '~/data/names-since.ts';
import { useMay } from '~/data/session/session.ts';
import { Chip } from '~/parts/words/chip.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { date } from '~/text/format.ts';
import { nameBy } from '~/text/name-by.ts';
import { text } from '~/text/text.ts';
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
  const since = useNamesSince(rows.flatMap(({ decision }) => [decision.decidedByUserId, decision.decidedIssuerId]));
  return (
    <Table
      query={query}
      empty={<Empty icon="list" title={text('people.noDecisions')} />}
      label={text('people.tab.reviews')}
      rows={rows}
      rowKey={({ decision }) => decision.taskId ?? ''}
      columns={(column) => [
        column('what', text('people.right'), ({ grant }) => (
          <span className={styles.two}>
            <Name>{grant.entitlementDescription || grant.entitlement}</Name>
            <small>
              <Name>{grant.appDisplayName}</Name>
            </small>
          </span>
        )),
        column('outcome', text('people.outcome'), ({ decision }) => <Outcome decision={decision} />),
        column(
          'by',
          text('people.decidedBy'),
          ({ decision }) =>
            decision.decidedBy ? (
              <Name>
                {nameBy(since(decision.decidedByUserId, decision.decidedBy), since(decision.decidedIssuerId, decision.decidedIssuer))}
              </Name>
            ) : decision.decidedByUserId ? (
              '–'
            ) : (
              text('people.byClose')
            ),
          { narrow: 'second' },
        ),
        column(
          'review',
          text('people.inReview'),
          ({ decision }) =>
            mayOpen ? (
              <Link to="/reviews/$reviewId/$tab" params={{ reviewId: decision.accessReviewId ?? '', tab: 'progress' }}>
                <Name>{decision.reviewDisplayName}</Name>
              </Link>
            ) : (
              <Name>{decision.reviewDisplayName}</Name>
            ),
          { narrow: 'hide' },
        ),
        column('when', text('people.when'), ({ decision }) => <When at={decision.decidedAt} />, { narrow: 'second' }),
      ]}
    />
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
