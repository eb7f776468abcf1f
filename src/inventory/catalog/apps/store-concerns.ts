/**
 * SQL that asks whether something of the inventory concerns a person: an account of theirs, what it holds, what they own, and what a task asks
 * about that they are asked, or that is in a review of theirs.
 */
import { allSql, fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { catalogSlot, type Concerned, getOwnedAppsSql } from '../record/index.ts';

function ask(context: Context, condition: Sql): Promise<boolean> {
  return context.db.value<boolean>(sql`SELECT ${condition} AS found`);
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
  const asked = catalogSlot.get().getIsAsked(context.tenantId, concerned, appId, sql`SELECT ${id}`);
  return ask(context, sql`${own} OR ${ownsEntitlement(context, concerned, appId, id)} OR ${asked}`);
}

/** A part of an app that has entitlements: a resource, or all resources of a type. */
export type AppPart = { readonly resourceId: string } | { readonly resourceTypeId: string };

/** True if the person holds, owns or is asked about an entitlement of that part of the app, or owns a resource of it. */
export function hasConcernInPart(context: Context, concerned: Concerned, appId: string, part: AppPart): Promise<boolean> {
  const { tenantId } = context;
  const { userId } = concerned;
  const [column, id] =
    'resourceId' in part ? (['resource_id', part.resourceId] as const) : (['resource_type_id', part.resourceTypeId] as const);
  const isIn = sql`e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.${fixed(column)} = ${id}`;
  const holds = sql`EXISTS (SELECT FROM accounts_public a
    JOIN grants_held g ON g.tenant_id = a.tenant_id AND g.app_id = a.app_id AND g.account_id = a.id
    JOIN entitlements e ON e.id = g.entitlement_id AND ${isIn}
    WHERE a.tenant_id = ${tenantId} AND a.user_id = ${userId} AND a.app_id = ${appId})`;
  const ownsResource = sql`EXISTS (SELECT FROM resource_owners o
    JOIN resources r ON r.tenant_id = ${tenantId} AND r.app_id = o.app_id AND r.id = o.resource_id
    WHERE o.tenant_id = ${tenantId} AND o.user_id = ${userId} AND o.app_id = ${appId}
      AND r.${fixed('resourceId' in part ? 'id' : 'resource_type_id')} = ${id})`;
  const ownsEntitlements = sql`EXISTS (SELECT FROM entitlement_owners o JOIN entitlements e ON e.id = o.entitlement_id AND ${isIn}
    WHERE o.tenant_id = ${tenantId} AND o.user_id = ${userId} AND o.app_id = ${appId})`;
  const asked = catalogSlot.get().getIsAsked(tenantId, concerned, appId, sql`SELECT e.id FROM entitlements e WHERE ${isIn}`);
  return ask(context, sql`${ownsApp(context, appId)} OR ${holds} OR ${ownsResource} OR ${ownsEntitlements} OR ${asked}`);
}
