/**
 * Signatures as their events vouch for them. The lines are written here for the event, and again from the rows when the log is checked, so they
 * never change.
 */
import { asObject } from '../../lib/json.ts';
import { lineOf } from '../../lib/log/row-digest.ts';
import type { Context } from '../../context.ts';
import type { EntryRow } from '../audit/index.ts';
import type { EvidenceSource } from '../log-proofs/index.ts';
import { readRecord, type Rule, rulesOfRecord, rulesOfStamp, type SigningEvent } from './check-signature.ts';
import { rulesOfStepUp } from './check-step-up.ts';
import { type KeptSignature, type KeptStepUp, listKept, listStepUps } from './store-check.ts';
import { listSigned, listSignedEventIds, listStraySigned, type SignatureLine } from './store-evidence.ts';

/** The line of a signature. */
export function lineOfSignature(row: SignatureLine): string {
  return lineOf({
    at: row.signedAt.toISOString(),
    credentialSignature: row.credentialSignature,
    idToken: row.idTokenSha256,
    record: row.recordSha256,
    review: row.reviewId,
    signature: row.id,
    submission: row.submissionId,
    timeStamp: row.timeStampSha256,
    timeStampServer: row.timeStampServer,
    transaction: row.transactionId,
    user: row.userId,
  });
}

/** Kinds of events that record a signature. */
const signingKinds: readonly string[] = ['review.submitted', 'review.acknowledged'];
/** Events whose signatures are read at once; each has one, and a hand in the database may have put others there. */
const eventsAtOnce = 20;

/** Groups of the events that recorded a signature, few enough that their records can be read at once. */
export function* groupSigningEvents<Entry extends Pick<EntryRow, 'kind' | 'data' | 'contentHash'>>(
  entries: readonly Entry[],
): Generator<Entry[]> {
  const signing = entries.filter(
    ({ kind, data, contentHash }) => signingKinds.includes(kind) && (contentHash !== null || data.includes('"signatureId"')),
  );
  for (let at = 0; at < signing.length; at += eventsAtOnce) {
    yield signing.slice(at, at + eventsAtOnce);
  }
}

async function listBroken(context: Context, row: KeptSignature, stepUp: KeptStepUp | undefined, event: SigningEvent): Promise<string[]> {
  const record = readRecord(row.record);
  const rules: Rule[] = [...rulesOfRecord(row, record, context.tenantId, event), ...rulesOfStepUp(row, record, stepUp, event)];
  for await (const rule of rulesOfStamp(row)) {
    rules.push(rule);
  }
  const broken = rules.flatMap(([holds, sentence]) => (holds ? [] : [`signatures ${row.id}: ${sentence}.`]));
  return [...new Set(broken)];
}

/** Says what signatures that these events recorded say otherwise than what was signed. */
async function listWrong(context: Context, entries: readonly EntryRow[]): Promise<string[]> {
  const sentences: string[] = [];
  for (const group of groupSigningEvents(entries)) {
    const events = new Map(
      group.map(({ eventId, occurredAt, credentialId, data, contentHash }) => [
        eventId,
        { occurredAt, credentialId, data: contentHash === null ? asObject(JSON.parse(data)) : {} },
      ]),
    );
    const rows = await listKept(context, [...events.keys()], 2 * eventsAtOnce);
    const ids = rows.flatMap(({ transactionId }) => (transactionId === '' ? [] : [transactionId]));
    const stepUps = new Map((await listStepUps(context, ids)).map((one) => [one.id, one]));
    for (const row of rows) {
      const event = events.get(row.eventId);
      sentences.push(...(event === undefined ? [] : await listBroken(context, row, stepUps.get(row.transactionId), event)));
    }
  }
  return sentences;
}

/** Evidence of this module. */
export const evidence: readonly EvidenceSource[] = [
  {
    table: 'signatures',
    list: async (context, eventIds) =>
      (await listSigned(context, eventIds)).map((row) => ({ eventId: row.eventId, id: row.id, line: lineOfSignature(row) })),
    listWrong,
    listStray: listStraySigned,
    listEventIds: listSignedEventIds,
  },
];
