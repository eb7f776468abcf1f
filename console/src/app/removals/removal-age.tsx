/** Age of a removal beside the oldest shown, in red once it is overdue. */
import type { Removal } from '~/data/inventory/removals.ts';
import { daysUntil } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './removal-table.module.css';

export function RemovalAge({ row, oldest }: { row: Removal; oldest: number }) {
  const since = row.startedAt ?? row.requestedAt ?? row.createdAt ?? '';
  const age = Math.max(0, Date.now() - Date.parse(since));
  const share = Math.round((age / oldest) * 100);
  return (
    <span className={styles.age} data-overdue={row.isOverdue || undefined}>
      <svg aria-hidden="true" viewBox="0 0 100 6" preserveAspectRatio="none">
        <rect width="100" height="6" />
        <rect width={Math.min(100, Math.max(3, share))} height="6" />
      </svg>
      {text('revocations.days', { count: Math.abs(daysUntil(since)) })}
    </span>
  );
}
