/** Making a new person of some records of a person, who is two. */
import { AppError, invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { getAddressKey, getNameKey } from '../../lib/names/same-name.ts';
import { sql } from '../../lib/sql.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { isBehind } from '../../foundation/authority/index.ts';
import { findUserByEmail, insertPeople, releaseAddresses, type UserRow } from '../../foundation/directory/index.ts';
import { listAccountNames, listPersonKeys, matchPerson } from '../../inventory/identity/index.ts';
import {
  findLiveStatus,
  findStanding,
  listSaidElsewhere,
  lockRecords,
  moveChosenRecords,
  peopleSlot,
  type SaidElsewhere,
  type SplitRecord,
} from '../../inventory/people/index.ts';
import { getPersonRowSql, insertBelonging, removeBelonging, withdrawClaim } from '../../inventory/person-claims/index.ts';
import { listEnded, listParts, maxNamed, type Outcome } from './parts.ts';
import { type KeptFacts, lockPeople, refuseDisputed, refuseErased, requirePerson, settleFacts } from './people.ts';
import { actOrRehearse } from './rehearse.ts';

/** Most records of one request. */
const maxRecords = 100;

/**
 * Splits records off a person, or says what that would do. NOT_FOUND for nobody, INVALID_ARGUMENT for no records, for those of others, and for all of the
 * person's; FAILED_PRECONDITION for oneself, for somebody who is gone, for the last Super Administrator where nobody reports them any more, and while a
 * disputed record may be theirs or their data is to be erased.
 */
export function splitPerson(context: Context, userId: string, recordIds: readonly string[], isRehearsal: boolean): Promise<Outcome> {
  return actOrRehearse(context, isRehearsal, async (inside) => {
    await lockPeople(inside, [userId]);
    const person = await requirePerson(inside, userId);
    if (isBehind(inside.actor, userId)) {
      // A source that no longer speaks of them could not end what they may do.
      throw new AppError('FAILED_PRECONDITION', 'Nobody can split themselves: ask another Super Administrator.');
    }
    await refuseDisputed(inside, [userId]);
    await refuseErased(inside, [person]);
    const [first, ...others] = await lockChosen(inside, userId, [...new Set(recordIds)]);
    const chosen = [first, ...others];
    const keysBefore = await listPersonKeys(inside, [userId]);
    const id = newId(inside.now);
    await moveChosenRecords(
      inside,
      chosen.map((one) => one.id),
      id,
    );
    const stays = await listSaidElsewhere(inside, userId, person);
    if (!stays.isAny) {
      throw invalidField(
        'recordIds',
        'must leave a record of the person: somebody with no record would be told of by nobody, and could never leave',
      );
    }
    const kept = keepFacts(person, chosen, stays);
    const changes = await settleFacts(inside, person, { kept, status: await findLiveStatus(inside, userId, true) });
    const leaverIds = await makePerson(inside, id, first, await findLiveStatus(inside, id, true));
    await leaveSources(inside, userId, chosen, stays.sourceIds);
    await pushAnew(inside, userId, id, chosen);
    const rematch = await matchPerson(inside, [userId, id, ...leaverIds], keysBefore, 'MANUAL');
    await recordEvent(inside, {
      kind: 'user.split',
      targetId: userId,
      data: {
        newUserId: id,
        recordIds: chosen.map((one) => one.id),
        matchedAccounts: rematch.changed,
        accounts: rematch.first,
        revisions: rematch.revisions,
        changed: changes.map(({ name }) => name),
      },
    });
    const wasEnded = changes.some(({ name, after }) => name === 'status' && after === 'DISABLED');
    return {
      userId: isRehearsal ? '' : id,
      moved: listParts({
        RECORDS: { count: chosen.length, names: chosen.slice(0, maxNamed).map((one) => one.displayName || one.email || one.username) },
        ACCOUNTS: await listAccountNames(inside, id, maxNamed),
      }),
      ended: wasEnded ? await listEnded(inside, userId) : [],
      changes,
    };
  });
}

async function lockChosen(context: Context, userId: string, ids: readonly string[]): Promise<readonly [SplitRecord, ...SplitRecord[]]> {
  if (ids.length > maxRecords) {
    throw invalidField('recordIds', `names at most ${maxRecords}`);
  }
  const found = await lockRecords(context, userId, ids);
  const [first, ...others] = found;
  if (first === undefined || found.length < ids.length) {
    throw invalidField('recordIds', 'must name records of this person: list them with GET /api/v1/identity/records?user_id=');
  }
  return [first, ...others];
}

/** Facts of a person once these records are not theirs: no value that only these say. */
function keepFacts(person: UserRow, chosen: readonly SplitRecord[], stays: SaidElsewhere): KeptFacts {
  const isSaid = {
    email: chosen.some((one) => getAddressKey(one.email) === getAddressKey(person.email)),
    username: chosen.some((one) => getAddressKey(one.username) === getAddressKey(person.username)),
    employeeId: chosen.some((one) => one.employeeId === person.employeeId),
    displayName: chosen.some((one) => getNameKey(one.displayName) === getNameKey(person.displayName)),
  };
  const keep = (name: keyof typeof isSaid): string => (isSaid[name] && !stays[name] ? '' : person[name]);
  const wasTerminated = person.employmentStatus === 'TERMINATED' && !stays.isTerminated;
  return {
    email: keep('email'),
    username: keep('username'),
    employeeId: keep('employeeId'),
    displayName: keep('displayName'),
    employmentStatus: wasTerminated && chosen.some((one) => one.employmentStatus === 'TERMINATED') ? undefined : person.employmentStatus,
    source: person.source === '' || stays.sourceIds.includes(person.source) ? person.source : undefined,
  };
}

/**
 * Makes the person whom the records say. An address that somebody has who is there stays theirs; whoever is not there loses it to somebody who is, and
 * is returned.
 */
async function makePerson(context: Context, id: string, said: SplitRecord, found: 'ENABLED' | 'DISABLED' | null): Promise<string[]> {
  const status = found ?? (said.state === 'LIVE' && said.isSourceThere ? 'ENABLED' : 'DISABLED');
  const holder = said.email === '' ? undefined : await findUserByEmail(context, said.email);
  const isThere = holder?.status === 'ENABLED' && holder.employmentStatus !== 'TERMINATED';
  const leaverIds = holder === undefined || isThere || status === 'DISABLED' ? [] : [holder.id];
  if (leaverIds.length > 0) {
    await releaseAddresses(context, sql`SELECT unnest(${leaverIds}::text[]) AS id`);
  }
  const person = {
    email: holder === undefined || leaverIds.length > 0 ? said.email : '',
    displayName: said.displayName || said.email || said.username,
    status,
    username: said.username,
    employeeId: said.employeeId,
    externalId: '',
    employmentType: '',
    department: '',
    jobTitle: '',
    managerId: null,
    source: said.sourceId,
  };
  await insertPeople(context, getPersonRowSql(id, person, true));
  return leaverIds;
}

/** Lets the sources of the records ask for nothing more of the person who stays, unless they report them, too. */
async function leaveSources(context: Context, userId: string, chosen: readonly SplitRecord[], stillIds: readonly string[]): Promise<void> {
  for (const sourceId of new Set(chosen.map((one) => one.sourceId))) {
    await withdrawClaim(context, userId, sourceId);
    if (!stillIds.includes(sourceId)) {
      await removeBelonging(context, userId, sourceId);
    }
  }
}

/** Takes again what providers push of the new person, and of the one who stays where they push both: the attributes of each follow. */
async function pushAnew(context: Context, userId: string, otherId: string, chosen: readonly SplitRecord[]): Promise<void> {
  const pushed = chosen.filter((one) => one.scimId !== '' && one.state === 'LIVE' && one.isSourceThere);
  const sourceIds = [...new Set(pushed.map((one) => one.sourceId))];
  for (const sourceId of sourceIds) {
    await insertBelonging(context, { userId: otherId, sourceId, how: 'MADE', givenById: '' });
  }
  for (const { sourceId, scimId } of pushed) {
    await peopleSlot.get().pushAgain(context, sourceId, scimId, false);
  }
  for (const sourceId of sourceIds) {
    const { speakerId } = await findStanding(context, userId, sourceId);
    if (speakerId !== null) {
      await peopleSlot.get().pushAgain(context, sourceId, speakerId, false);
    }
  }
}
