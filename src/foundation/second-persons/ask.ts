/**
 * Two persons for what ends evidence: one asks, another confirms within seven days, and only then is it done. Whoever stands behind the one, such as
 * the issuer of a credential, is not another.
 */
import { type Context, inTransaction } from '../../context.ts';
import { AppError, invalidField, orThrow } from '../../errors.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { peopleBehind } from '../authority/index.ts';
import { type RequestKind, type RequestRow, type SecondPersonAct, secondPersonSlot } from './slots.ts';
import { findRequest, insertRequest, updateAnswered, updateExpired } from './store.ts';

const validMs = 7 * 24 * 3_600_000;
const maxReasonLength = 1_000;

/** Facts of a request as it is asked. */
export interface Question {
  readonly kind: RequestKind;
  readonly subjectId: string;
  readonly reviewId?: string;
  readonly change?: Readonly<Record<string, number>>;
  readonly reason: string;
  /** Names who asks where that is no user: an operator. */
  readonly by?: string;
}

/** A reason without the spaces around it; INVALID_ARGUMENT for an empty or too long one. */
export function readReason(sent: string): string {
  const reason = sent.trim();
  if (reason === '' || reason.length > maxReasonLength) {
    throw invalidField('reason', `says why, in 1 to ${maxReasonLength} characters`);
  }
  return reason;
}

/** Asks a second person, and returns the request. CONFLICT where the same is asked already. */
export function askSecondPerson(context: Context, question: Question): Promise<RequestRow> {
  const { kind, subjectId, reviewId = '', change = {}, by } = question;
  const reason = readReason(question.reason);
  return inTransaction(context, async (inside) => {
    const { actor, now } = inside;
    await updateExpired(inside, kind, subjectId);
    const row: RequestRow = {
      id: newId(now),
      kind,
      subjectId,
      reviewId,
      change,
      reason,
      state: 'OPEN',
      askedById: by ?? actor.userId,
      behindIds: by === undefined ? peopleBehind(actor) : [by],
      askedAt: now,
      expiresAt: new Date(now.getTime() + validMs),
      answeredById: '',
      answeredAt: null,
    };
    if (!(await insertRequest(inside, row))) {
      throw new AppError('CONFLICT', 'This is asked already, and waits for another Super Administrator to confirm it.');
    }
    const data = { kind, subjectId, reason, change, by: row.askedById, expiresAt: row.expiresAt.toISOString() };
    await recordEvent(inside, { kind: 'second_person.asked', targetId: row.id, reviewId, data });
    return row;
  });
}

/** The request with this id; NOT_FOUND where there is none. */
export async function requireRequest(context: Context, id: string, locks = false): Promise<RequestRow> {
  return orThrow(await findRequest(context, id, locks), 'NOT_FOUND', 'There is no request with this id.');
}

/** Somebody at the command line, who is no user of the tenant. */
export interface Operator {
  /** The name they give. */
  readonly by: string;
  /** Act that they confirm, where it is not what a Super Administrator would. */
  readonly act?: SecondPersonAct;
}

/** True if nobody answered the request and its time is not over. */
export function isOpen({ state, expiresAt }: RequestRow, now: Date): boolean {
  return state === 'OPEN' && expiresAt > now;
}

async function requireOpen(context: Context, id: string): Promise<RequestRow> {
  const request = await requireRequest(context, id, true);
  if (!isOpen(request, context.now)) {
    const why =
      request.state === 'OPEN' || request.state === 'EXPIRED' ? 'its seven days are over' : `it is ${request.state.toLowerCase()}`;
    throw new AppError('FAILED_PRECONDITION', `The request cannot be answered any more: ${why}.`);
  }
  return request;
}

/**
 * Confirms a request and does what it asks for, in one transaction, as whoever acts or as an operator. PERMISSION_DENIED for whoever asked, also through
 * somebody else's credential; FAILED_PRECONDITION where it is not open, or where what it asks for is refused by now.
 */
export function confirmRequest(context: Context, id: string, operator?: Operator): Promise<RequestRow> {
  return inTransaction(context, async (inside) => {
    const request = await requireOpen(inside, id);
    const people = operator === undefined ? peopleBehind(inside.actor) : [operator.by];
    if (people.length === 0 || people.some((person) => request.behindIds.includes(person))) {
      throw new AppError('PERMISSION_DENIED', 'Somebody else has to confirm this: you asked for it, or whoever asked acts through you.');
    }
    const act = operator?.act ?? secondPersonSlot.get()[request.kind];
    if (act === undefined) {
      throw new AppError('FAILED_PRECONDITION', 'Operators confirm this on the command line.');
    }
    const answeredById = operator?.by ?? inside.actor.userId;
    await updateAnswered(inside, id, 'CONFIRMED', answeredById);
    const { kind, subjectId, reviewId } = request;
    await recordEvent(inside, { kind: 'second_person.confirmed', targetId: id, reviewId, data: { kind, subjectId, by: answeredById } });
    const confirmed: RequestRow = { ...request, state: 'CONFIRMED', answeredById, answeredAt: inside.now };
    await act.apply(inside, confirmed);
    return confirmed;
  });
}

/** Rejects a request, or takes it back. FAILED_PRECONDITION where it is not open. */
export function rejectRequest(context: Context, id: string): Promise<RequestRow> {
  return inTransaction(context, async (inside) => {
    const request = await requireOpen(inside, id);
    const answeredById = inside.actor.userId;
    await updateAnswered(inside, id, 'REJECTED', answeredById);
    const { kind, subjectId, reviewId } = request;
    await recordEvent(inside, { kind: 'second_person.rejected', targetId: id, reviewId, data: { kind, subjectId, by: answeredById } });
    return { ...request, state: 'REJECTED', answeredById, answeredAt: inside.now };
  });
}
