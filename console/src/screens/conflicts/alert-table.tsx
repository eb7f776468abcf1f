/** The alerts as rows: who, by which rule, what they hold together, since when, and why it is accepted. */
import { useEntitlementNames } from '~/data/names.ts';
import { useNamesSince } from '~/data/names-since.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Table, type TableStates } from '~/parts/tables/table.tsx';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import { date } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './conflicts.module.css';
import type { Alert } from './types.ts';

interface AlertTableProps extends TableStates {
  readonly rows: readonly Alert[];
  /** All are of one rule, whose name need not stand in each row. */
  readonly isOfOne: boolean;
  readonly onExempt: ((alert: Alert) => void) | undefined;
  readonly onWithdraw: ((alert: Alert) => void) | undefined;
}

export function AlertTable({ rows, isOfOne, onExempt, onWithdraw, ...states }: AlertTableProps) {
  const names = useEntitlementNames(
    rows.flatMap(({ entitlements = [] }) => entitlements.map((one) => ({ appId: one.appId ?? '', id: one.appEntitlementId ?? '' }))),
  );
  const since = useNamesSince(rows.map(({ userId }) => userId));
  const held = ({ entitlements = [] }: Alert, group: string) =>
    entitlements
      .filter(({ entitlementGroup }) => entitlementGroup === group)
      .map(({ appEntitlementId }) => names.get(appEntitlementId ?? '') || '…')
      .join(', ');
  return (
    <Table
      {...states}
      label={text('conflicts.alerts')}
      rows={rows}
      rowKey={(row) => row.id ?? ''}
      columns={(column) => [
        column('who', text('conflicts.who'), (row) => (
          <span className={styles.pair}>
            <b>
              <Name>{since(row.userId, row.principalDisplayName)}</Name>
            </b>
            {isOfOne ? null : <small>{row.monitorDisplayName}</small>}
          </span>
        )),
        column(
          'holds',
          text('conflicts.holds'),
          (row) => (
            <span className={styles.pair}>
              <span>{held(row, 'ENTITLEMENT_GROUP_A')}</span>
              <span>{held(row, 'ENTITLEMENT_GROUP_B')}</span>
            </span>
          ),
          { narrow: 'second' },
        ),
        column('since', text('conflicts.since'), (row) => <When at={row.activatedAt} />, { narrow: 'second' }),
        column(
          'why',
          text('conflicts.note'),
          (row) =>
            row.exemption === undefined ? (
              row.resolvedAt === undefined ? null : (
                <When at={row.resolvedAt} prefix={text('conflicts.goneAt')} />
              )
            ) : (
              <span className={styles.pair}>
                <span>{row.exemption.reason || text('conflicts.byReview')}</span>
                <small>
                  {row.exemption.until === undefined
                    ? text('conflicts.noEnd')
                    : text('conflicts.until', { date: date(row.exemption.until) })}
                </small>
              </span>
            ),
          { narrow: 'hide' },
        ),
        column(
          'act',
          '',
          (row) =>
            row.state === 'CONFLICT_ALERT_STATE_ACTIVE' && onExempt !== undefined ? (
              <Button onClick={() => onExempt(row)}>{text('conflicts.exempt')}</Button>
            ) : row.state === 'CONFLICT_ALERT_STATE_EXEMPTED' && onWithdraw !== undefined ? (
              <Button variant="quiet" onClick={() => onWithdraw(row)}>
                {text('conflicts.withdraw')}
              </Button>
            ) : null,
          { align: 'end' },
        ),
      ]}
    />
  );
}
