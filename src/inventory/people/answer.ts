/** Saying whose a disputed record is. The answer is kept with its anchor, and never asked again. */
import { AppError, invalidField, orThrow } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { getAddressKey } from '../../lib/names/same-name.ts';
import { sql } from '../../lib/sql.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { setLockWait } from '../catalog/index.ts';
import { findUser, findUserByEmail, insertPeople, lockRoles, releaseAddresses } from '../../foundation/directory/index.ts';
import { listPersonKeys, matchPersonAnew, tellRematch } from '../identity/index.ts';
import { peopleSlot } from './slots.ts';
import { findListed, type ListedRecord } from './store-lists.ts';
import { endKept, lockRecord, type RecordRow, updateVerdict, type Verdict } from './store-records.ts';

/** The record; NOT_FOUND for none. */
export async function requireRecord(context: Context, id: string): Promise<ListedRecord> {
  return orThrow(await findListed(context, id), 'NOT_FOUND', 'There is no such record of a person.');
}

/** An administrator's answer. */
export interface Answer {
  readonly verdict: Extract<Verdict, 'SAME_PERSON' | 'NEW_PERSON' | 'IGNORED'>;
  /** Whose record it is, with SAME_PERSON; '' else. */
  readonly userId: string;
}

/**
 * Answers whose a record is. NOT_FOUND for none, FAILED_PRECONDITION where it is known whose it is, INVALID_ARGUMENT for nobody, or somebody who is not
 * there.
 */
export function answerRecord(context: Context, id: string, answer: Answer): Promise<void> {
  return inTransaction(context, async (inside) => {
    // As whoever pushes: roles first.
    await setLockWait(inside);
    await lockRoles(inside);
    await requireRecord(inside, id);
    const record = await lockRecord(inside, id);
    if (record === undefined || record.userId !== null) {
      throw new AppError('FAILED_PRECONDITION', 'It is known whose this record is: only a disputed or an ignored one is answered.');
    }
    await checkPerson(inside, answer);
    const keysBefore = await listPersonKeys(inside, record.candidateIds);
    const userId = await applyAnswer(inside, record, answer);
    await updateVerdict(inside, id, { verdict: answer.verdict, userId });
    const ended = await endKept(inside, record.sourceId, record.candidateIds);
    const stays = ended.length === 0 ? '' : await peopleSlot.get().settle(inside, record.sourceId, ended);
    // What the record says is the person's from now on, and the address that it has may be somebody else's no longer.
    const concerned = [...new Set([...record.candidateIds, ...(userId === null ? [] : [userId])])];
    const rematch = await matchPersonAnew(inside, concerned, keysBefore, 'MANUAL');
    await recordEvent(inside, {
      kind: 'person_record.answered',
      targetId: userId ?? '',
      data: {
        recordId: id,
        sourceId: record.sourceId,
        verdict: answer.verdict,
        candidateIds: record.candidateIds,
        ...tellRematch(rematch),
        ...(stays === '' ? {} : { stays }),
      },
    });
  });
}

async function checkPerson(context: Context, { verdict, userId }: Answer): Promise<void> {
  if (verdict !== 'SAME_PERSON') {
    if (userId !== '') {
      throw invalidField('userId', 'must be empty, but with the verdict SAME_PERSON');
    }
    return;
  }
  const person = userId === '' ? undefined : await findUser(context, userId);
  if (person === undefined || person.userType !== 'HUMAN' || person.status === 'DELETED') {
    throw invalidField('userId', 'must be the id of a person who is there: of one of the candidates, or of somebody else');
  }
}

async function applyAnswer(context: Context, record: RecordRow, { verdict, userId }: Answer): Promise<string | null> {
  if (verdict === 'IGNORED') {
    return null;
  }
  const isNew = verdict === 'NEW_PERSON';
  if (record.scimId !== '' && record.state === 'LIVE') {
    if (!isNew) {
      await updateVerdict(context, record.id, { verdict, userId });
    }
    return peopleSlot.get().pushAgain(context, record.sourceId, record.scimId, isNew);
  }
  return isNew ? makePerson(context, record) : userId;
}

/** Makes the person of a row of a file; the next import says the rest of them. An address that somebody has who is there stays theirs. */
async function makePerson(context: Context, record: RecordRow): Promise<string> {
  const id = newId(context.now);
  const holder = record.email === '' ? undefined : await findUserByEmail(context, record.email);
  const isTheirs = holder !== undefined && holder.status === 'ENABLED' && holder.employmentStatus !== 'TERMINATED';
  if (holder !== undefined && !isTheirs) {
    await releaseAddresses(context, sql`SELECT ${holder.id}::text AS id`);
  }
  const email = isTheirs ? '' : record.email;
  const status = record.state === 'LIVE' && record.isEnabled === true ? 'ENABLED' : 'DISABLED';
  await insertPeople(
    context,
    sql`SELECT ${id}::text AS id, ${email}::text AS email, ${getAddressKey(email)}::text AS email_key, ${record.displayName}::text AS display_name,
      ${status}::text AS status, '' AS employment_status, '' AS department, '' AS job_title, ${record.username}::text AS username,
      ${record.employeeId}::text AS employee_id, '' AS external_id, '' AS employment_type, NULL::text AS manager_id, '{}'::jsonb AS profile,
      ${record.sourceId}::text AS source`,
  );
  return id;
}
