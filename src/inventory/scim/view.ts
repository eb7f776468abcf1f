/** Users and groups as an identity provider sees them: what was pushed, with what the server adds. */
import type { JsonObject } from '@bufbuild/protobuf';
import { inTransaction, type Context } from '../../context.ts';
import { type Projection, type ResourceRow, project, documentSchemas, urns, wants } from './document/index.ts';
import { listVerdicts } from '../people/index.ts';
import { type ScimSource, resourceVersion } from './source.ts';
import { listGroupsOf, listMembers, type Membership, setPlanning } from './store-members.ts';

/** Things replies are made with besides the rows. */
export interface ViewOptions {
  /** Of the SCIM service, without a slash at its end. */
  readonly baseUrl: string;
  readonly projection: Projection;
}

/** Resources as replies: two statements for a page of any size, none where neither groups nor members are asked for. */
export async function viewResources(
  context: Context,
  source: ScimSource,
  rows: readonly ResourceRow[],
  { baseUrl, projection }: ViewOptions,
): Promise<JsonObject[]> {
  const idsOf = (pick: (row: ResourceRow) => string | null): string[] => rows.map(pick).filter((id) => id !== null);
  const accountIds = wants(projection, 'groups') ? idsOf((row) => row.accountId) : [];
  const entitlementIds = wants(projection, 'members') ? idsOf((row) => row.entitlementId) : [];
  const { id: sourceId, appId } = source;
  const groups = accountIds.length === 0 ? [] : await listGroupsOf(context, sourceId, appId, accountIds);
  const members = entitlementIds.length === 0 ? [] : await listMembersOf(context, source, entitlementIds);
  const unknown = rows.filter((row) => row.kind === 'USER' && row.userId === null).map((row) => row.id);
  const verdicts = unknown.length === 0 ? undefined : await listVerdicts(context, sourceId, unknown);
  const groupsByAccount = Map.groupBy(groups, (one) => one.accountId);
  const membersByEntitlement = Map.groupBy(members, (one) => one.entitlementId);
  return rows.map((row) => {
    const of = (found: readonly Membership[] | undefined, place: string, type: string): JsonObject[] =>
      (found ?? []).map(({ id, display }) => ({ value: id, $ref: `${baseUrl}/${place}/${id}`, display, type }));
    const derived =
      row.kind === 'USER'
        ? { groups: of(groupsByAccount.get(row.accountId ?? ''), 'Groups', 'direct') }
        : { members: of(membersByEntitlement.get(row.entitlementId ?? ''), 'Users', 'User') };
    const present = Object.fromEntries(Object.entries(derived).filter(([, list]) => list.length > 0));
    return project(
      {
        schemas: [...documentSchemas(row.kind, row.document), ...(verdicts?.has(row.id) ? [urns.own] : [])],
        id: row.id,
        ...row.document,
        // A user that stands for nobody: until an administrator says whose it is, nobody owns its account.
        ...(verdicts?.has(row.id) ? { [urns.own]: { countersignState: verdicts.get(row.id) ?? '' } } : {}),
        ...present,
        meta: {
          resourceType: row.kind === 'USER' ? 'User' : 'Group',
          created: row.createdAt.toISOString(),
          lastModified: row.updatedAt.toISOString(),
          location: resourceLocation(row, baseUrl),
          version: resourceVersion(row),
        },
      },
      projection,
    );
  });
}

/** Members may be thousands, so their statement is planned for them, which lasts as long as a transaction. */
function listMembersOf(context: Context, { id: sourceId, appId }: ScimSource, entitlementIds: readonly string[]): Promise<Membership[]> {
  return inTransaction(context, async (inside) => {
    await setPlanning(inside);
    return listMembers(inside, sourceId, appId, entitlementIds);
  });
}

/** Address of a resource. */
export function resourceLocation(row: Pick<ResourceRow, 'kind' | 'id'>, baseUrl: string): string {
  return `${baseUrl}/${row.kind === 'USER' ? 'Users' : 'Groups'}/${row.id}`;
}
