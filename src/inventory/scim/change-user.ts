/**
 * Making, changing and deleting users, as an identity provider asks for it. Each is one transaction with at most one revision and one event.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { compareDocuments } from '../../lib/compare-documents.ts';
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { tellRematch } from '../identity/index.ts';
import {
  type ResourceRow,
  ScimError,
  applyPatch,
  findFormerAccount,
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
import { endPerson, mergePerson } from './merge-person.ts';
import { refuseOwned } from './owned.ts';
import { lockSource, requireResource, type ScimSource } from './source.ts';
import { findScimSource } from './store-source.ts';

/** Makes a user and returns it. One that the provider called the same before it was deleted is the person, and the account, it was. 409 where a user has the name. */
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
    const { active: _, ...rest } = row.document;
    const isSilent = (applyPatch('USER', rest, operations).active ?? null) === null;
    return pushUser(inside, source, row, readDocument('USER', applyPatch('USER', row.document, operations)), { isSilent });
  });
}

/**
 * Takes what a pushed user says once more, now that an administrator said whose its record is, and returns the person. The lock of roles is held.
 */
export async function pushAgain(context: Context, sourceId: string, scimId: string, isNew: boolean): Promise<string> {
  const source = await findScimSource(context, sourceId);
  if (source === undefined) {
    throw new AppError('FAILED_PRECONDITION', 'The source of this record is not there any more.');
  }
  await lockSource(context, source, true);
  const row = await requireResource(context, source, 'USER', scimId);
  const { userId } = await pushUser(context, source, row, row.document, { isDecidedNew: isNew });
  return userId ?? '';
}

async function pushUser(
  context: Context,
  source: ScimSource,
  row: ResourceRow | undefined,
  said: JsonObject,
  { isDecidedNew = false, isSilent = said.active === undefined }: { readonly isDecidedNew?: boolean; readonly isSilent?: boolean } = {},
): Promise<ResourceRow> {
  const holder = await findUserOfName(context, source.id, makeSearchKeys('USER', said).nameKey);
  if (holder !== undefined && holder !== row?.id) {
    throw new ScimError(409, 'uniqueness', `There is a user named ${JSON.stringify(said.userName)} already.`);
  }
  const isNew = row === undefined;
  const id = row?.id ?? newId(context.now);
  const before = row === undefined ? undefined : readFacts(row.document);
  const person = await mergePerson(context, source, { id, before, facts: readFacts(said), isDecidedNew, isSilent });
  // Who was disabled and of whom nothing is said stays disabled, and the provider reads that.
  const sent = said.active === undefined && !person.isActive ? { ...said, active: false } : said;
  const told = readFacts(sent);
  const keys = makeSearchKeys('USER', sent);
  const former = row ?? (person.id === null || person.isNew ? undefined : await findFormerAccount(context, source.id, person.id, keys));
  const account = await mergeAccount(context, source, {
    scimId: id,
    knownId: former?.accountId ?? null,
    isNew,
    facts: told,
    person: { id: person.isGone ? null : person.id, email: person.email, isAnother: person.id !== (row?.userId ?? null) },
  });
  const content = {
    ...keys,
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
      targetId: person.id ?? '',
      data: {
        appId: source.appId,
        sourceId: source.id,
        scimId: id,
        accountId: account.id,
        revision: account.revision,
        fields,
        ...(person.isNew ? { personMade: true } : {}),
        ...tellRematch(person.rematch),
        ...(person.managerProblem === '' ? {} : { managerProblem: person.managerProblem }),
        ...(person.stays === '' ? {} : { stays: person.stays }),
        ...(person.dispute === undefined ? {} : { disputed: person.dispute }),
        ...(person.formerIds.length === 0 ? {} : { formerPersonIds: person.formerIds }),
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
    const { stays, rematch } = await endPerson(inside, source, id);
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
        ...tellRematch(rematch),
        ...(stays === '' ? {} : { stays }),
      },
    });
  });
}
