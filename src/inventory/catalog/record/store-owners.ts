/**
 * SQL of the tables of owners. People who own something stand in the table of its kind (`app_owners`, `account_owners`, ...), entitlements that
 * own something in `owner_entitlements`. Each stands in a role, and keeps the order in which it was named: clients compare lists with what
 * they sent. Whom an owning entitlement stands for is store-owner-people.ts.
 */
import type { Context } from '../../../context.ts';
import { empty, fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';

/** Kinds of things with owners (`owner_entitlements.kind`). */
export type OwnableKind = 'app' | 'entitlement' | 'resource' | 'account' | 'source' | 'user';

/** Owned thing. */
export interface Ownable {
  readonly kind: OwnableKind;
  /** The app it is in; '' for a person. */
  readonly appId: string;
  /** The app's own id where it is one. */
  readonly id: string;
}

/** The role of owners for whom nobody chose another: the one that operations without roles read and write. */
export const defaultRole = 'owner';

/** Owner: a person by their id, or an entitlement as 'app id/entitlement id'. */
export type OwnerSort = 'people' | 'entitlements';

/** Place of an owner among the owners of one sort. */
export interface OwnerPlace {
  readonly roleSlug: string;
  readonly place: number;
  /** As its sort says. */
  readonly ref: string;
}

/** An owner, and since when. */
export interface OwnerRow extends OwnerPlace {
  readonly createdAt: Date;
}

/** The columns that say what is owned and who owns it, and their values. */
interface Owned {
  readonly table: Sql;
  /** Owned thing. */
  readonly columns: Sql;
  readonly values: Sql;
  readonly isIt: Sql;
  /** Owner, from the reference `n.ref`. */
  readonly ownerColumns: Sql;
  readonly ownerValues: Sql;
  /** The reference of the owner in the row `o`. */
  readonly ref: Sql;
}

/** The columns of what is owned in the table of people of its kind. */
const keysOf: Readonly<Record<OwnableKind, (of: Ownable) => Readonly<Record<string, string>>>> = {
  app: ({ appId }) => ({ app_id: appId }),
  entitlement: ({ appId, id }) => ({ app_id: appId, entitlement_id: id }),
  resource: ({ appId, id }) => ({ app_id: appId, resource_id: id }),
  account: ({ appId, id }) => ({ app_id: appId, account_id: id }),
  source: ({ id }) => ({ source_id: id }),
  user: ({ id }) => ({ owned_id: id }),
};

function ownedBy(context: Context, of: Ownable, sort: OwnerSort): Owned {
  const isPeople = sort === 'people';
  const keys = {
    tenant_id: context.tenantId,
    ...(isPeople ? keysOf[of.kind](of) : { kind: of.kind, app_id: of.appId, object_id: of.id }),
  };
  const entries = Object.entries(keys);
  return {
    table: fixed(isPeople ? `${of.kind}_owners` : 'owner_entitlements'),
    columns: fixed(Object.keys(keys).join(', ')),
    values: joinSql(entries.map(([, value]) => sql`${value}`)),
    isIt: joinSql(
      entries.map(([column, value]) => sql`o.${fixed(column)} = ${value}`),
      ' AND ',
    ),
    ownerColumns: fixed(isPeople ? 'user_id' : 'owner_app_id, owner_entitlement_id'),
    ownerValues: fixed(isPeople ? 'n.ref' : `split_part(n.ref, '/', 1), split_part(n.ref, '/', 2)`),
    ref: fixed(isPeople ? 'o.user_id' : `o.owner_app_id || '/' || o.owner_entitlement_id`),
  };
}

/** Entitlements that are gone own nothing any more, from the moment on that they or their app are. */
function isThere({ tenantId }: Context, sort: OwnerSort): Sql {
  return sort === 'people'
    ? empty
    : sql` AND EXISTS (SELECT FROM entitlements e JOIN apps p ON p.tenant_id = ${tenantId} AND p.id = e.app_id AND p.deleted_at IS NULL
        WHERE e.tenant_id = ${tenantId} AND e.app_id = o.owner_app_id AND e.id = o.owner_entitlement_id AND e.deleted_at IS NULL)`;
}

const inRole = (role: string | undefined): Sql => (role === undefined ? empty : sql` AND o.role_slug = ${role}`);

/**
 * A page of the owners of one sort by role and in their order: those of one role, or of all. All of them without a limit, of which there are as
 * many as change-owners.ts allows.
 */
export function listOwners(
  context: Context,
  of: Ownable,
  sort: OwnerSort,
  role: string | undefined,
  after?: OwnerPlace,
  limit?: number,
): Promise<OwnerRow[]> {
  const { table, isIt, ref } = ownedBy(context, of, sort);
  const isAfter =
    after === undefined ? empty : sql` AND (o.role_slug, o.place, ${ref}) > (${after.roleSlug}, ${after.place}::integer, ${after.ref})`;
  return context.db.rows<OwnerRow>(
    sql`SELECT o.role_slug AS "roleSlug", o.place, ${ref} AS ref, o.created_at AS "createdAt" FROM ${table} o
      WHERE ${isIt}${inRole(role)}${isThere(context, sort)}${isAfter} ORDER BY o.role_slug, o.place, ${ref} LIMIT ${limit ?? null}`,
  );
}

/** The owners of one sort in one role, in their order. */
export async function listOwnerRefs(context: Context, of: Ownable, sort: OwnerSort, role: string): Promise<string[]> {
  return (await listOwners(context, of, sort, role)).map(({ ref }) => ref);
}

/** The ids of the people who own something in the default role, in their order. */
export function listOwnerIds(context: Context, of: Ownable): Promise<string[]> {
  return listOwnerRefs(context, of, 'people', defaultRole);
}

/** One owner in a role. */
export function findOwner(context: Context, of: Ownable, sort: OwnerSort, role: string, owner: string): Promise<OwnerRow | undefined> {
  const { table, isIt, ref } = ownedBy(context, of, sort);
  return context.db.maybe<OwnerRow>(
    sql`SELECT o.role_slug AS "roleSlug", o.place, ${ref} AS ref, o.created_at AS "createdAt" FROM ${table} o
      WHERE ${isIt}${inRole(role)}${isThere(context, sort)} AND ${ref} = ${owner}`,
  );
}

/** Counts owners of one sort in other roles than this one. */
export function countOtherOwners(context: Context, of: Ownable, sort: OwnerSort, role: string): Promise<number> {
  const { table, isIt } = ownedBy(context, of, sort);
  return context.db.value<number>(sql`SELECT count(*)::int AS count FROM ${table} o WHERE ${isIt} AND o.role_slug <> ${role}`);
}

/** Adds owners behind those there are, in this order; those who are owners already stay where they are. Returns how many were added. */
export function insertOwners(
  context: Context,
  of: Ownable,
  owners: readonly string[],
  sort: OwnerSort = 'people',
  role = defaultRole,
): Promise<number> {
  const { table, columns, values, isIt, ownerColumns, ownerValues } = ownedBy(context, of, sort);
  return context.db.run(
    sql`INSERT INTO ${table} (${columns}, role_slug, ${ownerColumns}, place, created_at)
      SELECT ${values}, ${role}, ${ownerValues},
        (SELECT coalesce(max(o.place), 0) FROM ${table} o WHERE ${isIt}${inRole(role)}) + n.place, ${context.now}::timestamptz
      FROM unnest(${[...new Set(owners)]}::text[]) WITH ORDINALITY AS n (ref, place) ON CONFLICT DO NOTHING`,
  );
}

/** Gives the owners the places that they have in this list of all of them. */
export function updateOwnerPlaces(
  context: Context,
  of: Ownable,
  owners: readonly string[],
  sort: OwnerSort,
  role: string,
): Promise<number> {
  const { table, isIt, ref } = ownedBy(context, of, sort);
  return context.db.run(
    sql`UPDATE ${table} o SET place = n.place FROM unnest(${owners}::text[]) WITH ORDINALITY AS n (ref, place)
      WHERE ${isIt}${inRole(role)} AND ${ref} = n.ref AND o.place <> n.place`,
  );
}

/** Takes owners away and returns how many were owners. */
export function removeOwners(
  context: Context,
  of: Ownable,
  owners: readonly string[],
  sort: OwnerSort = 'people',
  role = defaultRole,
): Promise<number> {
  const { table, isIt, ref } = ownedBy(context, of, sort);
  return context.db.run(sql`DELETE FROM ${table} o WHERE ${isIt}${inRole(role)} AND ${ref} = ANY (${owners})`);
}

/** Locks a person until the transaction ends, so that nobody else changes who owns them; false for none, and for a deleted one. */
export async function lockOwnedUser(context: Context, id: string): Promise<boolean> {
  const row = await context.db.maybe(
    sql`SELECT u.id FROM users u WHERE u.tenant_id = ${context.tenantId} AND u.id = ${id} AND u.status <> 'DELETED' FOR NO KEY UPDATE`,
  );
  return row !== undefined;
}
