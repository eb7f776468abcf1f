/**
 * Erasing the data of a person and of those who were merged into them, a piece at a time. Their own rows go last, in one transaction, since the texts to
 * look for are read from them: a job that was killed goes on where it was, and keeps no name itself.
 */
import type { Context } from '../../context.ts';
import type { ChunkResult, JobKind } from '../../jobs/index.ts';
import { getAsciiAddress } from '../../lib/names/same-address.ts';
import { getAddressKey } from '../../lib/names/same-name.ts';
import type { ErasedPerson } from '../../lib/words.ts';
import { emptyEventsNaming, recordEvent } from '../../foundation/audit/index.ts';
import { setLockWait } from '../../inventory/catalog/index.ts';
import { eraseTaskTexts } from '../../inventory/connector-tasks/index.ts';
import { erasePersonCredentials } from '../../foundation/credentials/index.ts';
import { eraseDeliveryTexts } from '../../foundation/deliveries/index.ts';
import { erasePersonRow, findUser, listMergedIds, listPersonTexts, lockRoles } from '../../foundation/directory/index.ts';
import { eraseFetchTexts, removeFilesNaming } from '../../inventory/fetches/index.ts';
import { listPersonKeys, matchPerson } from '../../inventory/identity/index.ts';
import { eraseAccounts, listAccountTexts } from '../../inventory/ledger/index.ts';
import { erasePersonMails } from '../notifications/index.ts';
import { erasePersonRecords } from '../../inventory/people/index.ts';
import { erasePersonClaims } from '../../inventory/person-claims/index.ts';
import { emptyNotesNaming, listOwnRemovals } from '../../governance/revocations/index.ts';
import { erasePushed, erasePushedGroups } from '../../inventory/scim/index.ts';
import { eraseReasons } from '../../foundation/second-persons/index.ts';
import { erasePersonSignIns } from '../../foundation/sessions/index.ts';
import { erasePersonSignatures } from '../../foundation/signatures/index.ts';
import { eraseSyncTexts } from '../../inventory/syncs/index.ts';
import { requireErasable } from './ask-erasure.ts';
import { emptyNextOf, emptyRemoval, untilSealedMs } from './empty-review.ts';

const maxAtOnce = 2_000;
/** Shorter texts are found as whole values alone: the name Al is part of many words. */
const minPartLength = 6;

/** Place of the job. */
interface EraseCursor {
  readonly review?: { readonly id: string; readonly step: number; readonly after: string };
  /** The last event it looked at. */
  readonly afterEvent?: string;
}

/** One of those who are erased, and their accounts. */
interface ErasedRow {
  readonly userId: string;
  readonly accountIds: readonly string[];
}

async function readPerson(context: Context, userId: string): Promise<ErasedPerson & { readonly rows: readonly ErasedRow[] }> {
  const rows: ErasedRow[] = [];
  const texts = new Set<string>();
  for (const id of [...(await listMergedIds(context, userId)), userId]) {
    const accounts = await listAccountTexts(context, id);
    rows.push({ userId: id, accountIds: accounts.ids });
    for (const text of [...(await listPersonTexts(context, id)), ...accounts.texts]) {
      // Whoever wrote the address elsewhere may have spelled its domain otherwise.
      for (const spelling of text.includes('@') ? [text, getAsciiAddress(text), getAddressKey(text)] : [text]) {
        texts.add(spelling);
      }
    }
  }
  return {
    rows,
    userIds: rows.map((row) => row.userId),
    accountIds: rows.flatMap((row) => row.accountIds),
    texts: [...texts].map((text) => (text.length < minPartLength ? JSON.stringify(text) : JSON.stringify(text).slice(1, -1))),
  };
}

/** Erases the data of its subject. */
export const erasePersonJob: JobKind = {
  async handler(context, job) {
    const userId = job.subjectId;
    const user = await findUser(context, userId);
    if (user === undefined || user.erasedAt !== null) {
      return 'finished';
    }
    const cursor = job.cursor as EraseCursor;
    const [reviewId] = await requireErasable(context, userId);
    const goOn = (next: EraseCursor, waits = false): ChunkResult => ({
      cursor: { ...next },
      done: job.done + 1,
      total: 0,
      ...(waits ? { runAt: new Date(context.now.getTime() + untilSealedMs) } : {}),
    });
    if (reviewId !== undefined) {
      const next = await emptyNextOf(context, reviewId, cursor.review?.id === reviewId ? cursor.review : { step: 0, after: '' });
      return goOn(next === undefined ? {} : { review: { id: reviewId, step: next.step, after: next.after } }, next?.waits);
    }
    const person = await readPerson(context, userId);
    const { lastId, unsealed } = await emptyEventsNaming(context, person, cursor.afterEvent ?? '', maxAtOnce);
    if (unsealed > 0) {
      return goOn({ afterEvent: cursor.afterEvent ?? '' }, true);
    }
    if (lastId !== '') {
      return goOn({ afterEvent: lastId });
    }
    if ((await erasePersonMails(context, person, maxAtOnce)) === maxAtOnce) {
      return goOn(cursor);
    }
    // As whoever merges people. Whoever was merged into them since is looked for from the beginning.
    await setLockWait(context);
    await lockRoles(context);
    if ((await listMergedIds(context, userId)).length >= person.userIds.length) {
      return goOn({});
    }
    await eraseTexts(context, person);
    for (const row of person.rows) {
      await eraseRow(context, row);
    }
    return 'finished';
  },
};

/** Takes the texts that name the people out of what others hold. */
async function eraseTexts(context: Context, { texts, accountIds }: ErasedPerson): Promise<void> {
  await erasePushedGroups(context, texts);
  await eraseSyncTexts(context, texts);
  await eraseFetchTexts(context, texts);
  await eraseTaskTexts(context, texts);
  await eraseDeliveryTexts(context, texts);
  await emptyNotesNaming(context, texts);
  await eraseReasons(context, texts);
  await removeFilesNaming(context, accountIds);
}

async function eraseRow(context: Context, { userId, accountIds }: ErasedRow): Promise<void> {
  const keysBefore = await listPersonKeys(context, [userId]);
  for (const removalId of await listOwnRemovals(context, userId, accountIds)) {
    await emptyRemoval(context, removalId);
  }
  await erasePersonCredentials(context, userId);
  await erasePersonClaims(context, userId);
  await erasePersonRecords(context, userId);
  await erasePersonSignatures(context, userId);
  await erasePushed(context, userId, accountIds);
  await eraseAccounts(context, accountIds);
  await erasePersonRow(context, userId);
  // Behind the row: a change of the address is noted there.
  await erasePersonSignIns(context, userId);
  // An address or a user name that two people had is now the other one's alone.
  const rematch = await matchPerson(context, [], keysBefore, 'MANUAL');
  const moved = rematch.changed === 0 ? {} : { matchedAccounts: rematch.changed, revisions: rematch.revisions };
  await recordEvent(context, { kind: 'user.erased', targetId: userId, data: { accounts: accountIds.length, ...moved } });
}
