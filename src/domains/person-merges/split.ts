/** Making a new person of some records of a person, who is two. */
import { invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { getAddressKey } from '../../lib/names/same-name.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { findUserByEmail, insertPeople, type UserRow } from '../directory/index.ts';
import { listAccountNames, listPersonKeys, matchPerson } from '../identity/index.ts';
import { findLiveStatus, listSaidElsewhere, lockRecords, moveChosenRecords, peopleSlot, type SplitRecord } from '../people/index.ts';
import { getPersonRowSql, insertBelonging } from '../person-claims/index.ts';
import { listEnded, listParts, maxNamed, type Outcome } from './parts.ts';
import { lockPeople, refuseDisputed, requirePerson, settleFacts } from './people.ts';
import { actOrRehearse } from './rehearse.ts';

/** Most records of one request. */
const maxRecords = 100;

/**
 * Splits records off a person, or says what that would do. NOT_FOUND for nobody, INVALID_ARGUMENT for no records, for those of others, and for all of the
 * person's; FAILED_PRECONDITION for somebody who is gone, for the last Super Administrator where nobody reports them any more, and while a disputed
 * record may be theirs.
 */
export function splitPerson(context: Context, userId: string, recordIds: readonly string[], isRehearsal: boolean): Promise<Outcome> {
  return actOrRehearse(context, isRehearsal, async (inside) => {
    await lockPeople(inside, [userId]);
    const person = await requirePerson(inside, userId);
    await refuseDisputed(inside, [userId]);
    const [first, ...others] = await lockChosen(inside, userId, [...new Set(recordIds)]);
    const chosen = [first, ...others];
    const keysBefore = await listPersonKeys(inside, [userId]);
    const id = newId(inside.now);
    await moveChosenRecords(
      inside,
      chosen.map((one) => one.id),
      id,
    );
    const { isAny, ...stays } = await listSaidElsewhere(inside, userId, person);
    if (!isAny) {
      throw invalidField(
        'recordIds',
        'must leave a record of the person: somebody with no record would be told of by nobody, and could never leave',
      );
    }
    const kept = keepFacts(person, chosen, stays);
    const changes = await settleFacts(inside, person, { kept, status: await findLiveStatus(inside, userId, true) });
    await makePerson(inside, id, first, await findLiveStatus(inside, id, true));
    const pushed = chosen.filter((one) => one.scimId !== '' && one.state === 'LIVE' && one.isSourceThere);
    for (const sourceId of new Set(pushed.map((one) => one.sourceId))) {
      await insertBelonging(inside, { userId: id, sourceId, how: 'MADE', givenById: '' });
    }
    for (const { sourceId, scimId } of pushed) {
      await peopleSlot.get().pushAgain(inside, sourceId, scimId, false);
    }
    const rematch = await matchPerson(inside, [userId, id], keysBefore, 'MANUAL');
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

/** What a person is found by once these records are not theirs: no value that only these say. */
function keepFacts(person: UserRow, chosen: readonly SplitRecord[], stays: Readonly<Record<'email' | 'username' | 'employeeId', boolean>>) {
  const isSaid = {
    email: chosen.some((one) => getAddressKey(one.email) === getAddressKey(person.email)),
    username: chosen.some((one) => getAddressKey(one.username) === getAddressKey(person.username)),
    employeeId: chosen.some((one) => one.employeeId === person.employeeId),
  };
  const keep = (name: keyof typeof isSaid): string => (isSaid[name] && !stays[name] ? '' : person[name]);
  return { email: keep('email'), username: keep('username'), employeeId: keep('employeeId') };
}

/** Makes the person whom the records say. An address that somebody has stays theirs. */
async function makePerson(context: Context, id: string, said: SplitRecord, status: 'ENABLED' | 'DISABLED' | null): Promise<void> {
  const holder = said.email === '' ? undefined : await findUserByEmail(context, said.email);
  const person = {
    email: holder === undefined ? said.email : '',
    displayName: said.displayName || said.email || said.username,
    status: status ?? (said.state === 'LIVE' ? ('ENABLED' as const) : ('DISABLED' as const)),
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
}
