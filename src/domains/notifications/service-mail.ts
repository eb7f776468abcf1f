/** The contract's service about mails: each method calls one rule and shapes the reply. */
import {
  type MailJson,
  MailSchema,
  MailService,
  MailServiceGetResponseSchema,
  MailServiceListNoticesResponseSchema,
  MailServiceListResponseSchema,
  MailState as WireState,
  ReviewNoticeSchema,
} from '../../gen/countersign/v1/mail_pb.js';
import { AppError } from '../../errors.ts';
import { pageOf } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { requireReview } from '../reviews/index.ts';
import { findMail, type ListedMail, listMails, listMailsByIds, listNoticesOfReview } from './store-lists.ts';
import type { MailState } from './store-mails.ts';

function shapeMail(row: ListedMail, text = ''): MailJson {
  const { id, personId: userId, address, subject, digest, attempts, answer } = row;
  return shape(MailSchema, {
    ...{ id, userId, address, subject, text, digest, attempts, answer },
    state: `MAIL_STATE_${row.state}`,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  });
}

/** The service. */
export const mailService = implement(MailService, {
  list: async (context, request, call) => {
    const state = request.state === WireState.UNSPECIFIED ? undefined : (WireState[request.state] as MailState);
    const { rows, nextPageToken } = await pageOf(
      call,
      (before, limit) => listMails(context, state, before, limit),
      (row) => row.id,
    );
    return shape(MailServiceListResponseSchema, { list: rows.map((row) => shapeMail(row)), nextPageToken });
  },
  get: async (context, request) => {
    const row = await findMail(context, request.id);
    if (row === undefined) {
      throw new AppError('NOT_FOUND', 'There is no mail with this id.');
    }
    return shape(MailServiceGetResponseSchema, { mail: shapeMail(row, row.body) });
  },
  listNotices: async (context, request, call) => {
    await requireReview(context, request.accessReviewId, 'read');
    const { rows, nextPageToken } = await pageOf(
      call,
      (before, limit) => listNoticesOfReview(context, request.accessReviewId, before, limit),
      (row) => row.id,
    );
    const mails = await listMailsByIds(
      context,
      rows.flatMap(({ mailId }) => mailId ?? []),
    );
    const list = rows.map(({ mailId, personId, onBehalfId, dueAt, ...row }) => {
      const mail = mails.get(mailId ?? '');
      const { id, kind, subjectId, slot } = row;
      return shape(ReviewNoticeSchema, {
        ...{ id, kind, subjectId, slot, userId: personId, onBehalfOfId: onBehalfId, dueAt: timestamp(dueAt) },
        ...(mail === undefined ? {} : { mail: shapeMail(mail) }),
      });
    });
    return shape(MailServiceListNoticesResponseSchema, { list, nextPageToken });
  },
});
