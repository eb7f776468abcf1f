/**
 * The service about profile attributes and their values: each method calls one rule and shapes the reply.
 */
import { ProfileAttributeService, ProfileSubject as SubjectEnum } from '../../../gen/countersign/v1/profile_attributes_pb.js';
import { invalidField } from '../../../errors.ts';
import { pageByKey } from '../../../wire/page.ts';
import { implementPart } from '../../../wire/service.ts';
import type { ProfileSubject } from './profile-types.ts';
import { searchProfiles } from './search-profiles.ts';
import { listAttributes } from './store-attributes.ts';

function subjectOf(value: SubjectEnum): ProfileSubject | undefined {
  return value === SubjectEnum.UNSPECIFIED ? undefined : (SubjectEnum[value] as ProfileSubject);
}

/** Profile attributes. Giving one a type is in the module identity, since accounts have profiles, too. */
export const profileAttributeService = implementPart(ProfileAttributeService, {
  list: async (context, request, call) => {
    const { rows, nextPageToken } = await pageByKey(
      call,
      ([subject = '', name = ''] = [], limit) => listAttributes(context, subjectOf(request.subject), [subject, name], limit),
      (row) => [row.subject, row.name],
    );
    return { list: rows, nextPageToken };
  },
  search: async (context, request, call) => {
    const subject = subjectOf(request.subject);
    if (subject === undefined) {
      throw invalidField('subject', 'must be USER or ACCOUNT: whose attributes to search');
    }
    const text = (field: 'equals' | 'from' | 'to') => (typeof call.sent[field] === 'string' ? request[field] : undefined);
    const search = {
      subject,
      name: request.name,
      equals: text('equals'),
      oneOf: request.oneOf.length === 0 ? undefined : request.oneOf,
      from: text('from'),
      to: text('to'),
    };
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => searchProfiles(context, search, after, limit),
      (row) => [row.key, row.id],
    );
    const list = rows.map(({ id, appId, displayName, value }) => ({ id, appId, displayName, value: value as string }));
    return { list, nextPageToken };
  },
});
