/**
 * The service about profile attributes and their values: each method calls one rule and shapes the reply.
 */
import {
  type ProfileAttributeJson,
  ProfileAttributeSchema,
  ProfileAttributeService,
  ProfileAttributeServiceDeleteResponseSchema,
  ProfileAttributeServiceListResponseSchema,
  ProfileAttributeServiceSearchResponseSchema,
  ProfileAttributeServiceSetResponseSchema,
  ProfileAttributeType,
  ProfileMatchSchema,
  ProfileSubject as SubjectEnum,
} from '../../gen/countersign/v1/profile_attributes_pb.js';
import { AppError, invalidField } from '../../errors.ts';
import { pageByKey } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { removeProfileAttribute, setProfileAttribute } from './profile-attributes.ts';
import type { ProfileSubject, ProfileType } from './profile-types.ts';
import { searchProfiles } from './search-profiles.ts';
import { type AttributeRow, listAttributes } from './store-attributes.ts';

function shapeAttribute(row: AttributeRow): ProfileAttributeJson {
  return shape(ProfileAttributeSchema, {
    subject: `PROFILE_SUBJECT_${row.subject}`,
    name: row.name,
    type: `PROFILE_ATTRIBUTE_TYPE_${row.type}`,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  });
}

/** The subject in a path; NOT_FOUND for anything else. */
function subjectOfPath(text: string): ProfileSubject {
  if (text !== 'user' && text !== 'account') {
    throw new AppError('NOT_FOUND', 'Attributes are those of a user or of an account: /api/v1/profile_attributes/user/{name}.');
  }
  return text === 'user' ? 'USER' : 'ACCOUNT';
}

function subjectOf(value: SubjectEnum): ProfileSubject | undefined {
  return value === SubjectEnum.UNSPECIFIED ? undefined : (SubjectEnum[value] as ProfileSubject);
}

/** Profile attributes. */
export const profileAttributeService = implement(ProfileAttributeService, {
  list: async (context, request, call) => {
    const { rows, nextPageToken } = await pageByKey(
      call,
      ([subject = '', name = ''] = [], limit) => listAttributes(context, subjectOf(request.subject), [subject, name], limit),
      (row) => [row.subject, row.name],
    );
    return shape(ProfileAttributeServiceListResponseSchema, { list: rows.map(shapeAttribute), nextPageToken });
  },
  set: async (context, request) => {
    const subject = subjectOfPath(request.subject);
    if (request.type === ProfileAttributeType.UNSPECIFIED) {
      throw invalidField('type', 'must be the type of the values: text, number, boolean or date');
    }
    const type = ProfileAttributeType[request.type] as ProfileType;
    const row = await setProfileAttribute(context, subject, request.name, type);
    return shape(ProfileAttributeServiceSetResponseSchema, { attribute: shapeAttribute(row) });
  },
  delete: async (context, request) => {
    await removeProfileAttribute(context, subjectOfPath(request.subject), request.name);
    return shape(ProfileAttributeServiceDeleteResponseSchema, {});
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
    const list = rows.map(({ id, appId, displayName, value }) =>
      shape(ProfileMatchSchema, { id, appId, displayName, value: value as string }),
    );
    return shape(ProfileAttributeServiceSearchResponseSchema, { list, nextPageToken });
  },
});
