/**
 * The part of the service about profile attributes that gives them types: each method calls one rule and shapes the reply.
 */
import { ProfileAttributeService, ProfileAttributeType } from '../../gen/countersign/v1/profile_attributes_pb.js';
import { AppError, invalidField } from '../../errors.ts';
import { implementPart } from '../../wire/service.ts';
import type { ProfileSubject, ProfileType } from '../../foundation/directory/index.ts';
import { removeProfileAttribute, setProfileAttribute } from './set-profile-attribute.ts';

/** The subject in a path; NOT_FOUND for anything else. */
function subjectOfPath(text: string): ProfileSubject {
  if (text !== 'user' && text !== 'account') {
    throw new AppError('NOT_FOUND', 'Attributes are those of a user or of an account: /api/v1/profile_attributes/user/{name}.');
  }
  return text === 'user' ? 'USER' : 'ACCOUNT';
}

/** Types of profile attributes. */
export const attributeService = implementPart(ProfileAttributeService, {
  set: async (context, request) => {
    const subject = subjectOfPath(request.subject);
    if (request.type === ProfileAttributeType.UNSPECIFIED) {
      throw invalidField('type', 'must say what the values are: text, number, boolean or date');
    }
    const type = ProfileAttributeType[request.type] as ProfileType;
    const row = await setProfileAttribute(context, subject, request.name, type);
    return { attribute: row };
  },
  delete: async (context, request) => {
    await removeProfileAttribute(context, subjectOfPath(request.subject), request.name);
    return {};
  },
});
