/** Functions of the inventory as SQL over a person, where they are asked of the subject and of apps written out. */
import type { Context } from '../../../context.ts';
import type { Node } from '../../../lib/cel/node.ts';
import { fixed, sql } from '../../../lib/sql.ts';
import { hasOnlyStorable, type Piece } from './store-translate-columns.ts';

/** The function as SQL; undefined for any other function, and for other people than the subject. */
export function getAnswer(
  { tenantId }: Pick<Context, 'tenantId'>,
  { name, args }: Node & { readonly op: 'ask' },
  place: string,
): Piece | undefined {
  const [subject, ...rest] = args;
  const [appId, entitlement] = rest.map((arg) =>
    arg.op === 'literal' && typeof arg.value === 'string' && hasOnlyStorable(arg.value) ? arg.value : undefined,
  );
  if (subject?.op !== 'variable' || subject.type.kind !== 'object' || subject.type.name !== 'User' || appId === undefined) {
    return undefined;
  }
  const person = fixed(`${place}user_id`);
  const app = sql`JOIN apps_public ap ON ap.tenant_id = ${tenantId} AND ap.id = ha.app_id AND ap.deleted_at IS NULL`;
  const accounts = sql`accounts ha ${app}`;
  const owned = sql`ha.tenant_id = ${tenantId} AND ha.app_id = ${appId} AND ha.user_id IS NOT NULL`;
  if (name === 'c1.user.v1.HasApp') {
    return { kind: 'bool', sql: sql`(${person} IN (SELECT ha.user_id FROM ${accounts} WHERE ${owned} AND ha.deleted_at IS NULL))` };
  }
  if (name === 'c1.user.v1.HasEntitlement' && entitlement !== undefined) {
    return {
      kind: 'bool',
      sql: sql`(${person} IN (SELECT ha.user_id FROM ${accounts}
        JOIN entitlements_public he ON he.tenant_id = ${tenantId} AND he.app_id = ha.app_id AND he.deleted_at IS NULL
          AND (he.id = ${entitlement} OR he.slug = ${entitlement} OR he.alias = ${entitlement})
        JOIN grants_held hg ON hg.tenant_id = ${tenantId} AND hg.app_id = ha.app_id AND hg.entitlement_id = he.id AND hg.account_id = ha.id
        WHERE ${owned} AND ha.deleted_at IS NULL AND ${entitlement} <> ''))`,
    };
  }
  if (name === 'c1.user.v1.GetAppUserStatus') {
    const status = sql`CASE WHEN ha.deleted_at IS NULL THEN ha.status ELSE 'DELETED' END`;
    return {
      kind: 'text',
      sql: sql`(coalesce((SELECT 'USER_STATUS_' || CASE WHEN bool_or(${status} = 'ENABLED') THEN 'ENABLED' WHEN bool_or(${status} = 'DISABLED') THEN 'DISABLED'
        WHEN bool_or(${status} = 'DELETED') THEN 'DELETED' END FROM ${accounts} WHERE ${owned} AND ha.user_id = ${person}), 'USER_STATUS_UNSPECIFIED') COLLATE "C")`,
    };
  }
  return undefined;
}
