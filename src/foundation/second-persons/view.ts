/** Requests as clients see them. */
import type { Context } from '../../context.ts';
import type { SecondPersonRequest } from '../../gen/countersign/v1/second_persons_pb.js';
import type { Row } from '../../wire/row.ts';
import { holds, peopleBehind, refuseAnswer } from '../authority/index.ts';
import { listNamesAt } from '../directory/index.ts';
import { isOpen } from './ask.ts';
import { type RequestRow, secondPersonSlot } from './slots.ts';

/** A request as countersign.v1.SecondPersonRequest, for whoever calls. */
export async function shapeRequest(context: Context, row: RequestRow): Promise<Row<SecondPersonRequest>> {
  const [asker = ''] = await listNamesAt(context, [{ id: row.askedById, at: row.askedAt }]);
  return shapeNamed(context, row, asker);
}

/** Several requests, with the names that whoever asked had then. */
export async function shapeRequests(context: Context, rows: readonly RequestRow[]): Promise<Row<SecondPersonRequest>[]> {
  const askers = await listNamesAt(
    context,
    rows.map(({ askedById, askedAt }) => ({ id: askedById, at: askedAt })),
  );
  return Promise.all(rows.map((row, index) => shapeNamed(context, row, askers[index] ?? '')));
}

async function shapeNamed(context: Context, row: RequestRow, askedByDisplayName: string): Promise<Row<SecondPersonRequest>> {
  const { actor, now } = context;
  const open = isOpen(row, now);
  const act = secondPersonSlot.get()[row.kind];
  const isAnother = !peopleBehind(actor).some((person) => row.behindIds.includes(person));
  return {
    ...row,
    subjectDisplayName: (await act?.nameSubject?.(context, row)) ?? '',
    accessReviewId: row.reviewId,
    askedByDisplayName,
    state: row.state === 'OPEN' && !open ? 'EXPIRED' : row.state,
    canConfirm: open && act !== undefined && isAnother && holds(actor, 'settings.write') && refuseAnswer(actor) === undefined,
    reportDays: row.change['reportDays'],
    eventYears: row.change['eventYears'],
    reviewYears: row.change['reviewYears'],
  };
}
