/** SQL of what a connector has to do with a removal, as each reader sees it. */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** State of a sending (`removal_sendings.state`). */
export type SendingState = 'PLANNED' | 'WAITING' | 'LIMITED' | 'SENT' | 'DONE' | 'FAILED' | 'PEOPLE' | 'ENDED';

/** The reason why people are asked in place of a connector (`removal_sendings.reason`). */
export type LeftReason =
  | 'OFF'
  | 'MANUAL'
  | 'NO_CONNECTOR'
  | 'OTHER_CONNECTOR'
  | 'PAUSED'
  | 'STALE'
  | 'DELETED'
  | 'NOT_IN_FILE'
  | 'INHERITED'
  | 'IMMUTABLE'
  | 'NOT_PROVISIONED'
  | 'APP_ACCESS'
  | 'NOT_AN_ACCOUNT';

/** Part of a connector in a removal. Times are texts. */
export interface SendingOfRow {
  readonly state: SendingState;
  /** '' where people are not asked. */
  readonly reason: LeftReason | '';
  readonly taskId: string;
  readonly failures: number;
  readonly hostId: string;
  readonly hostname: string;
  readonly package: string;
  readonly packageVersion: string;
  readonly sentAt: string | null;
  readonly endedAt: string | null;
}

/** The part of a connector in the removal `r`, as JSON; null for none. */
export const getSendingSql = ({ tenantId }: Context): Sql => sql`(
  SELECT json_build_object('state', x.state, 'reason', x.reason, 'taskId', x.task_id, 'failures', x.failures, 'hostId', x.host_id, 'hostname', x.hostname,
    'package', x.package, 'packageVersion', x.package_version, 'sentAt', x.sent_at, 'endedAt', x.ended_at)
  FROM removal_sendings x WHERE x.tenant_id = ${tenantId} AND x.revocation_id = r.id)`;
