/** Members of groups: sets of members given and ended under one revision, however many they are. */
import type { Context } from '../../context.ts';
import { endGrants, giveGrants, takeRevision } from '../ledger/index.ts';
import { ScimError, updateVersions } from './document/index.ts';
import type { MemberChange } from './member-change.ts';
import type { ScimSource } from './source.ts';
import { listHoldingAccounts, listLackingAccounts, listMemberRows, setPlanning } from './store-members.ts';

/** From so many on, members are a crowd: their statements are planned for them. */
const crowd = 100;
/** Most ids that an error names. */
const maxNamed = 5;

/** Members that changed; the revision where anything did. */
export interface ChangedMembers {
  readonly added: number;
  readonly removed: number;
  readonly revision: number | null;
}

/** Applies a change to a group's members; 400 for ids that are no users. The app is locked. */
export async function changeMembers(
  context: Context,
  source: ScimSource,
  entitlementId: string,
  change: MemberChange,
): Promise<ChangedMembers> {
  const { appId, sourceNo } = source;
  if (change.added.size + change.removed.size >= crowd) {
    await setPlanning(context);
  }
  const toAdd = await findAccounts(context, source, change.added);
  const leaving = change.replacesAll ? toAdd : await findLeavers(context, source, change.removed);
  const lacking = toAdd.length === 0 ? [] : await listLackingAccounts(context, appId, entitlementId, toAdd);
  const holding =
    change.replacesAll || leaving.length > 0
      ? await listHoldingAccounts(context, { appId, entitlementId, sourceNo }, leaving, change.replacesAll)
      : [];
  if (lacking.length + holding.length === 0) {
    return { added: 0, removed: 0, revision: null };
  }
  const grantChange = { appId, sourceNo, revision: await takeRevision(context, appId, 'SCIM') };
  const pairs = (accountIds: readonly string[]) => accountIds.map((accountId) => ({ entitlementId, accountId }));
  const ended = await endGrants(context, grantChange, pairs(holding));
  const given = await giveGrants(context, grantChange, pairs(lacking));
  await updateVersions(context, source.id, { accountIds: [...lacking, ...holding] });
  return { added: given.length, removed: ended.length, revision: grantChange.revision };
}

async function findAccounts(context: Context, source: ScimSource, ids: ReadonlySet<string>): Promise<string[]> {
  if (ids.size === 0) {
    return [];
  }
  const rows = await listMemberRows(context, source.id, [...ids]);
  const groups = rows.filter((row) => row.kind === 'GROUP').map((row) => row.id);
  if (groups.length > 0) {
    throw new ScimError(400, 'invalidValue', `Groups within groups are not supported: ${name(groups)}. Push their users instead.`);
  }
  const found = new Map(rows.map((row) => [row.id, row.accountId]));
  const missing = [...ids].filter((id) => (found.get(id) ?? null) === null);
  if (missing.length > 0) {
    throw new ScimError(400, 'invalidValue', `There is no user with the id ${name(missing)}.`);
  }
  return [...found.values()].filter((id) => id !== null);
}

/** Whoever is not there has left already. */
async function findLeavers(context: Context, source: ScimSource, ids: ReadonlySet<string>): Promise<string[]> {
  const rows = ids.size === 0 ? [] : await listMemberRows(context, source.id, [...ids]);
  return rows.map((row) => row.accountId).filter((id) => id !== null);
}

function name(ids: readonly string[]): string {
  const some = ids.slice(0, maxNamed).map((id) => JSON.stringify(id.slice(0, 64)));
  return `${some.join(', ')}${ids.length > maxNamed ? ` and ${ids.length - maxNamed} others` : ''}`;
}
