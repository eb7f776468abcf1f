/**
 * SQL that asks whether something of the inventory concerns a person: an account of theirs, what it holds, what they own, and what a task asks
 * about that they are asked, or that is in a review of theirs.
 */
import { allSql, fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { catalogSlot, type Concerned, getOwnedAppsSql } from '../record/index.ts';

async function ask(context: Context, condition: Sql): Promise<boolean> {
  const { found } = await context.db.one<{ found: boolean }>(sql`SELECT ${condition} AS found`);
  return found;
}

const ownsApp = (context: Context, appId: string): Sql => sql`${appId} = ANY (${getOwnedAppsSql(context)})`;

/** True if the person owns the app or something in it. */
function ownsInApp(context: Context, { userId }: Concerned, appId: string): Sql {
  const owns = (table: string): Sql =>
    sql`EXISTS (SELECT FROM ${fixed(table)} o WHERE o.tenant_id = ${context.tenantId} AND o.user_id = ${userId} AND o.app_id = ${appId})`;
  return sql`${ownsApp(context, appId)} OR ${owns('resource_owners')} OR ${owns('entitlement_owners')}`;
}

/** True if the person owns the entitlement, its resource or its app. */
function ownsEntitlement(context: Context, { userId }: Concerned, appId: string, id: string): Sql {
  const { tenantId } = context;
  return sql`${ownsApp(context, appId)}
    OR EXISTS (SELECT FROM entitlement_owners o WHERE o.tenant_id = ${tenantId} AND o.user_id = ${userId} AND o.app_id = ${appId} AND o.entitlement_id = ${id})
    OR EXISTS (SELECT FROM entitlements e
      JOIN resource_owners o ON o.tenant_id = ${tenantId} AND o.user_id = ${userId} AND o.app_id = e.app_id AND o.resource_id = e.resource_id
      WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.id = ${id})`;
}

/** True if the caller owns the app. */
export function hasOwnApp(context: Context, appId: string): Promise<boolean> {
  return ask(context, ownsApp(context, appId));
}

/** True if the caller owns the entitlement, its resource or its app. */
export function hasOwnEntitlement(context: Context, concerned: Concerned, appId: string, id: string): Promise<boolean> {
  return ask(context, ownsEntitlement(context, concerned, appId, id));
}

/** True if the person has an account in the app, owns something of it, or has a task about access to it. */
export function hasConcernInApp(context: Context, concerned: Concerned, appId: string): Promise<boolean> {
  const own = sql`EXISTS (SELECT FROM accounts_public a WHERE ${allSql([
    sql`a.tenant_id = ${context.tenantId} AND a.user_id = ${concerned.userId}`,
    sql`a.app_id = ${appId} AND a.status <> 'DELETED'`,
  ])})`;
  const owns = ownsInApp(context, concerned, appId);
  return ask(context, sql`${own} OR ${owns} OR ${catalogSlot.get().getIsAsked(context.tenantId, concerned, appId, undefined)}`);
}

/** True if the person holds the entitlement, owns it, or has a task about it. */
export function hasConcernInEntitlement(context: Context, concerned: Concerned, appId: string, id: string): Promise<boolean> {
  const own = sql`EXISTS (SELECT FROM accounts_public a
    JOIN grants_held g ON g.tenant_id = a.tenant_id AND g.app_id = a.app_id AND g.account_id = a.id
    WHERE a.tenant_id = ${context.tenantId} AND a.user_id = ${concerned.userId} AND a.app_id = ${appId}
      AND g.entitlement_id = ${id})`;
  const asked = catalogSlot.get().getIsAsked(context.tenantId, concerned, appId, id);
  return ask(context, sql`${own} OR ${ownsEntitlement(context, concerned, appId, id)} OR ${asked}`);
}
