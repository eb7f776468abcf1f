/**
 * Making, changing and deleting users, as an identity provider asks for it. Each is one transaction with at most one revision and one event.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { compareDocuments } from '../../lib/compare-documents.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import {
  type ResourceRow,
  ScimError,
  applyPatch,
  findFormer,
  findUserOfName,
  insertResource,
  readDocument,
  readOperations,
  removeResource,
  updateResource,
  updateVersions,
} from './document/index.ts';
import { readFacts, makeSearchKeys } from './facts.ts';
import { endAccount, mergeAccount } from './merge-account.ts';
import { disablePerson, mergePerson } from './merge-person.ts';
import { refuseOwned } from './owned.ts';
import { lockSource, requireResource, type ScimSource } from './source.ts';

/** Makes a user and returns it. A name that was deleted before finds the person and the account it had. 409 where a user has the name. */
export function createUser(context: Context, source: ScimSource, body: JsonValue | undefined): Promise<ResourceRow> {
  const document = readDocument('USER', body);
  return inTransaction(context, async (inside) => {
    await lockSource(inside, source, true);
    return pushUser(inside, source, undefined, document);
  });
}

/** Makes a user say this and nothing else, and returns it. 404 for none. */
export function replaceUser(
  context: Context,
  source: ScimSource,
  id: string,
  body: JsonValue | undefined,
  ifMatch: string | undefined,
): Promise<ResourceRow> {
  const document = readDocument('USER', body);
  return inTransaction(context, async (inside) => {
    await lockSource(inside, source, true);
    return pushUser(inside, source, await requireResource(inside, source, 'USER', id, ifMatch), document);
  });
}

/** Changes parts of a user, and returns it. 404 for none. */
export function patchUser(
  context: Context,
  source: ScimSource,
  id: string,
  body: JsonValue | undefined,
  ifMatch: string | undefined,
): Promise<ResourceRow> {
  const operations = readOperations(body);
  refuseOwned('USER', operations);
  return inTransaction(context, async (inside) => {
    await lockSource(inside, source, true);
    const row = await requireResource(inside, source, 'USER', id, ifMatch);
    return pushUser(inside, source, row, readDocument('USER', applyPatch('USER', row.document, operations)));
  });
}

async function pushUser(context: Context, source: ScimSource, row: ResourceRow | undefined, sent: JsonObject): Promise<ResourceRow> {
  const keys = makeSearchKeys('USER', sent);
  const holder = await findUserOfName(context, source.id, keys.nameKey);
  if (holder !== undefined && holder !== row?.id) {
    throw new ScimError(409, 'uniqueness', `There is a user named ${JSON.stringify(sent.userName)} already.`);
  }
  const isNew = row === undefined;
  const known = row ?? (await findFormer(context, source.id, 'USER', keys));
  const id = row?.id ?? newId(context.now);
  const before = row === undefined ? undefined : readFacts(row.document);
  const told = readFacts(sent);
  const person = await mergePerson(context, source, { id, knownId: known?.userId ?? null, isNew, before, facts: told });
  const account = await mergeAccount(context, source, {
    scimId: id,
    knownId: known?.accountId ?? null,
    isNew,
    facts: told,
    person: { id: person.isGone ? null : person.id, email: person.email, isAnother: person.id !== row?.userId },
  });
  const content = {
    ...keys,
    isActive: sent.active !== false,
    document: sent,
    userId: person.id,
    accountId: account.id,
    entitlementId: null,
  };
  const { fields } = compareDocuments(row?.document ?? {}, sent);
  const isTouched = row === undefined || fields.length > 0 || row.userId !== person.id || row.accountId !== account.id;
  if (row === undefined) {
    await insertResource(context, source.id, 'USER', id, content);
  } else if (isTouched) {
    await updateResource(context, source.id, id, content);
  }
  if (isTouched || person.changed || account.revision !== null) {
    await recordEvent(context, {
      kind: isNew ? 'scim.user_created' : 'scim.user_updated',
      targetId: person.id,
      data: {
        appId: source.appId,
        sourceId: source.id,
        scimId: id,
        accountId: account.id,
        revision: account.revision,
        fields,
        ...(person.isNew ? { personMade: true } : {}),
        ...(person.rematch !== undefined && person.rematch.changed > 0
          ? { matchedAccounts: person.rematch.changed, accounts: person.rematch.first, revisions: person.rematch.revisions }
          : {}),
        ...(person.managerProblem === '' ? {} : { managerProblem: person.managerProblem }),
      },
    });
  }
  return requireResource(context, source, 'USER', id);
}

/**
 * Deletes a user. The person stays in the directory, disabled where the source may do that; the account and what this source gave it end, but for an account that somebody
 * else gives something. 404 for none.
 */
export function deleteUser(context: Context, source: ScimSource, id: string, ifMatch: string | undefined): Promise<void> {
  return inTransaction(context, async (inside) => {
    await lockSource(inside, source, true);
    const row = await requireResource(inside, source, 'USER', id, ifMatch);
    if (row.userId !== null) {
      await disablePerson(inside, source, row.userId, id);
    }
    const ended = row.accountId === null ? undefined : await endAccount(inside, source, row.accountId);
    await removeResource(inside, source.id, id);
    await updateVersions(inside, source.id, { entitlementIds: ended?.entitlementIds ?? [] });
    await recordEvent(inside, {
      kind: 'scim.user_deleted',
      targetId: row.userId ?? '',
      data: {
        appId: source.appId,
        sourceId: source.id,
        scimId: id,
        accountId: row.accountId,
        revision: ended?.revision ?? null,
        membershipsEnded: ended?.entitlementIds.length ?? 0,
      },
    });
  });
}
