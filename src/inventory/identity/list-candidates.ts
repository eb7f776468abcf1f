/** Possible owners of an account that matches several people. */
import type { Context } from '../../context.ts';
import { listCandidates } from './store-lists.ts';

/** Most people named for one account. */
const candidatesNamed = 5;

/** For each of these accounts the ids of the first people whom its deciding rule finds: the first rule of its source's order that finds any. */
export async function listFirstCandidates(context: Context, accountIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, { rule: string; userIds: string[] }>();
  for (const { accountId, rule, userId } of await listCandidates(context, accountIds, candidatesNamed)) {
    const entry = found.get(accountId) ?? { rule, userIds: [] };
    if (entry.rule === rule) {
      entry.userIds.push(userId);
    }
    found.set(accountId, entry);
  }
  return new Map([...found].map(([accountId, { userIds }]) => [accountId, userIds]));
}
