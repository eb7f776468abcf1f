/** Requests as clients see them. */
import type { Context } from '../../context.ts';
import type { SecondPersonRequest } from '../../gen/countersign/v1/second_persons_pb.js';
import type { Row } from '../../wire/row.ts';
import { holds, peopleBehind, refuseAnswer } from '../authority/index.ts';
import { listPersonNames } from '../directory/index.ts';
import { isOpen } from './ask.ts';
import { type RequestRow, secondPersonSlot } from './slots.ts';

/** A request as countersign.v1.SecondPersonRequest, for whoever calls; `askers` has the names of who asked, where several are shaped. */
export async function shapeRequest(
  context: Context,
  row: RequestRow,
  askers?: ReadonlyMap<string, string>,
): Promise<Row<SecondPersonRequest>> {
  const { actor, now } = context;
  const open = isOpen(row, now);
  const act = secondPersonSlot.get()[row.kind];
  const names = askers ?? (await listPersonNames(context, [row.askedById]));
  const isAnother = !peopleBehind(actor).some((person) => row.behindIds.includes(person));
  return {
    ...row,
    subjectDisplayName: (await act?.nameSubject?.(context, row)) ?? '',
    accessReviewId: row.reviewId,
    askedByDisplayName: names.get(row.askedById),
    state: row.state === 'OPEN' && !open ? 'EXPIRED' : row.state,
    canConfirm: open && act !== undefined && isAnother && holds(actor, 'settings.write') && refuseAnswer(actor) === undefined,
    reportDays: row.change['reportDays'],
    eventYears: row.change['eventYears'],
    reviewYears: row.change['reviewYears'],
  };
}
