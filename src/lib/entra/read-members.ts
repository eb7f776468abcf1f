/** Members and owners of groups, twenty lists at once. */
import type { JsonObject } from '@bufbuild/protobuf';
import { maxBatch, type Page, type Query } from './graph.ts';
import type { Reading } from './gather.ts';
import { textOf } from './read-objects.ts';

/** Yields each list with its first page, `maxBatch` of them asked for at once; without a page where its object is gone. */
export async function* readInBatches<Of>(
  { graph }: Pick<Reading, 'graph'>,
  lists: Iterable<{ readonly of: Of; readonly query: Query }>,
): AsyncGenerator<{ readonly of: Of; readonly query: Query; readonly page: Page | undefined }> {
  let waiting: { readonly of: Of; readonly query: Query }[] = [];
  const flush = async () => {
    const asked = waiting;
    waiting = [];
    const pages = asked.length === 0 ? [] : await graph.batch(asked.map(({ query }) => query));
    return asked.map((list, index) => ({ ...list, page: pages[index] }));
  };
  for (const list of lists) {
    waiting.push(list);
    if (waiting.length === maxBatch) {
      yield* await flush();
      if (graph.isTrial) {
        return;
      }
    }
  }
  yield* await flush();
}

const permission = 'GroupMember.Read.All';

function* listQueries(groups: readonly string[]): Generator<{ of: { group: string; isOwners: boolean }; query: Query }> {
  for (const group of groups) {
    for (const isOwners of [false, true]) {
      const [task, path] = isOwners
        ? (['Reading the owners of groups', 'owners'] as const)
        : (['Reading the members of groups', 'members'] as const);
      yield { of: { group, isOwners }, query: { task, path: `/groups/${group}/${path}?$select=id&$top=999`, permission } };
    }
  }
}

/** Reads who is in which group, and who owns it. Service principals are read from their own side: version 1.0 lists them nowhere else. */
export async function readMembers(reading: Reading, groups: readonly string[]): Promise<void> {
  const { graph, directory, findings } = reading;
  for await (const { of, query, page } of readInBatches(reading, listQueries(groups))) {
    if (page === undefined) {
      findings.goneObjects++;
      continue;
    }
    const take = (): number => (of.isOwners ? takeOwnership(reading, of.group) : (directory.findGroup(of.group) as number));
    const seen = new Set<number>();
    for await (const objects of graph.list(query, page)) {
      await takeHolders(reading, take, objects, seen);
    }
  }
}

/** Returns the number of the entitlement of owning a group. */
export function takeOwnership({ directory }: Reading, group: string): number {
  const { resource, resourceName, resourceDescription } = directory.getEntitlement(directory.findGroup(group) as number);
  return directory.takeEntitlement({
    ...{ resourceType: 'group', resource, resourceName, resourceDescription },
    ...{ entitlement: 'owner', name: '', description: '', purpose: 'OWNERSHIP' },
  });
}

async function takeHolders(
  { directory, writer, findings }: Reading,
  takeEntitlement: () => number,
  objects: readonly JsonObject[],
  seen: Set<number>,
): Promise<void> {
  const accounts: number[] = [];
  for (const object of objects) {
    const key = textOf(object.id);
    const account = directory.findAccount(key);
    const group = directory.findGroup(key);
    const type = textOf(object['@odata.type']);
    if (account !== undefined) {
      if (!seen.has(account) && directory.getAccount(account)?.isService === false) {
        seen.add(account);
        accounts.push(account);
      }
    } else if (group !== undefined) {
      directory.link(group, takeEntitlement());
    } else if (/\.(user|group|servicePrincipal)$/.test(type) || type === '') {
      findings.unknownHolders++;
    } else {
      findings.devices++;
    }
  }
  if (accounts.length > 0) {
    await writer.write({ entitlement: takeEntitlement(), accounts });
  }
}
