/**
 * SQL of who is in which group: the open grants of a group's entitlement to the accounts of users.
 */
import type { Context } from '../../context.ts';

/** A user as a member to be. */
export interface MemberRow {
  readonly id: string;
  readonly kind: 'USER' | 'GROUP';
  /** Null for a group, and where the account is gone. */
  readonly accountId: string | null;
}

/**
 * Has statements planned for what they are about, until the transaction ends: a plan that was made when the connector was small looks at all users
 * for each of thousands of members.
 */
export async function setPlanning(context: Context): Promise<void> {
  await context.db.run('SET LOCAL plan_cache_mode = force_custom_plan');
}

/**
 * Those of the ids that are live users or groups of the connector, with their accounts. Those are of the connector's app; that is not asked for,
 * because by an id alone the account is found through its index even where the planner knows nothing of a new app yet.
 */
export function listMemberRows(context: Context, sourceId: string, ids: readonly string[]): Promise<MemberRow[]> {
  return context.db.rows<MemberRow>(
    `SELECT r.id, r.kind, a.id AS "accountId" FROM unnest($3::text[]) AS x (id)
     JOIN scim_resources r ON r.tenant_id = $1 AND r.source_id = $2 AND r.id = x.id AND r.deleted_at IS NULL
     LEFT JOIN accounts_public a ON a.tenant_id = $1 AND a.id = r.account_id AND a.status <> 'DELETED'`,
    [context.tenantId, sourceId, ids],
  );
}

/** Those of the accounts that do not hold the entitlement now. */
export function listLackingAccounts(
  context: Context,
  appId: string,
  entitlementId: string,
  accountIds: readonly string[],
): Promise<string[]> {
  return context.db.column<string>(
    `SELECT x.id FROM unnest($4::text[]) AS x (id)
     WHERE NOT EXISTS (SELECT FROM grants_held g WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = $3 AND g.account_id = x.id)`,
    [context.tenantId, appId, entitlementId, accountIds],
  );
}

/** Accounts that hold the entitlement from this source: those among the ids, or all but those. */
export function listHoldingAccounts(
  context: Context,
  of: { readonly appId: string; readonly entitlementId: string; readonly sourceNo: number },
  accountIds: readonly string[],
  isAllBut: boolean,
): Promise<string[]> {
  const condition = isAllBut
    ? 'NOT EXISTS (SELECT FROM unnest($5::text[]) AS x (id) WHERE x.id = g.account_id)'
    : 'g.account_id = ANY ($5)';
  return context.db.column<string>(
    `SELECT g.account_id AS id FROM grants_held g
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = $3 AND g.source_no = $4 AND ${condition}`,
    [context.tenantId, of.appId, of.entitlementId, of.sourceNo, accountIds],
  );
}

/** A user in a group. */
export interface Membership {
  readonly entitlementId: string;
  readonly accountId: string;
  /** The SCIM id of the other side: of the user for members, of the group for groups. */
  readonly id: string;
  readonly display: string;
}

/** Lists holders of these entitlements, by user: one entry a member. */
export function listMembers(context: Context, sourceId: string, appId: string, entitlementIds: readonly string[]): Promise<Membership[]> {
  return listMemberships(context, sourceId, appId, { of: 'entitlement_id', ids: entitlementIds, shown: 'account_id', name: 'userName' });
}

/** The groups that these accounts are in. */
export function listGroupsOf(context: Context, sourceId: string, appId: string, accountIds: readonly string[]): Promise<Membership[]> {
  return listMemberships(context, sourceId, appId, { of: 'account_id', ids: accountIds, shown: 'entitlement_id', name: 'displayName' });
}

interface Side {
  readonly of: 'entitlement_id' | 'account_id';
  readonly ids: readonly string[];
  readonly shown: 'entitlement_id' | 'account_id';
  readonly name: string;
}

/**
 * The open grants of one side, each with the resource on the other. Two statements and no join: a planner whose numbers are of a time when the
 * connector was small may look at every user for every grant, but a list of ids is looked up once in whatever it does.
 */
async function listMemberships(context: Context, sourceId: string, appId: string, { of, ids, shown, name }: Side): Promise<Membership[]> {
  const held = await context.db.rows<Pick<Membership, 'entitlementId' | 'accountId'>>(
    `SELECT g.entitlement_id AS "entitlementId", g.account_id AS "accountId" FROM grants_held g
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.${of} = ANY ($3)`,
    [context.tenantId, appId, ids],
  );
  const keyOf = shown === 'account_id' ? ('accountId' as const) : ('entitlementId' as const);
  const resources = await context.db.rows<{ key: string; id: string; display: string }>(
    `SELECT r.${shown} AS key, r.id, r.document ->> $4::text AS display FROM scim_resources r
     WHERE r.tenant_id = $1 AND r.source_id = $2 AND r.${shown} = ANY ($3) AND r.deleted_at IS NULL`,
    [context.tenantId, sourceId, [...new Set(held.map((one) => one[keyOf]))], name],
  );
  const byKey = new Map(resources.map((one) => [one.key, one]));
  return held
    .flatMap((one) => {
      const { id, display } = byKey.get(one[keyOf]) ?? {};
      return id === undefined || display === undefined ? [] : [{ ...one, id, display }];
    })
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}
