/** The contract's service about mails: each method calls one rule and shapes the reply. */
import { type Mail, MailService, MailState as WireState } from '../../../gen/countersign/v1/mail_pb.js';
import { orThrow } from '../../../errors.ts';
import { readPage } from '../../../wire/page.ts';
import type { Row } from '../../../wire/row.ts';
import { implement } from '../../../wire/service.ts';
import { requireReview } from '../../../governance/reviews/index.ts';
import { findMail, type ListedMail, listMails, listMailsByIds, listNoticesOfReview } from './store-lists.ts';
import type { MailState } from '../mailers/index.ts';

function shapeMail(row: ListedMail, text = ''): Row<Mail> {
  return { ...row, userId: row.personId, text };
}

/** The service. */
export const mailService = implement(MailService, {
  list: async (context, request, call) => {
    const state = request.state === WireState.UNSPECIFIED ? undefined : (WireState[request.state] as MailState);
    const { rows, nextPageToken } = await readPage(call, (before, limit) => listMails(context, state, before, limit));
    return { list: rows.map((row) => shapeMail(row)), nextPageToken };
  },
  get: async (context, request) => {
    const row = orThrow(await findMail(context, request.id), 'NOT_FOUND', 'There is no mail with this id.');
    return { mail: shapeMail(row, row.body) };
  },
  listNotices: async (context, request, call) => {
    await requireReview(context, request.accessReviewId, 'read');
    const { rows, nextPageToken } = await readPage(call, (before, limit) =>
      listNoticesOfReview(context, request.accessReviewId, before, limit),
    );
    const mails = await listMailsByIds(
      context,
      rows.flatMap(({ mailId }) => mailId ?? []),
    );
    const list = rows.map((row) => {
      const mail = mails.get(row.mailId ?? '');
      return { ...row, userId: row.personId, onBehalfOfId: row.onBehalfId, mail: mail && shapeMail(mail) };
    });
    return { list, nextPageToken };
  },
});
