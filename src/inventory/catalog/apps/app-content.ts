/** Contents of an app as a client writes it: which members have a column, which stand in its document, and what can be wrong with each. */
import { type FieldViolation, refuseInvalid } from '../../../errors.ts';
import { type AppJson, AppSchema } from '../../../gen/c1/api/app/v1/app_pb.js';
import type { Context } from '../../../context.ts';
import { canonicalise } from '../../../wire/canonical.ts';
import { findWrongPolicies } from './find-wrong-policies.ts';
import type { AppRow } from '../record/index.ts';

/** Stored part of what a client wrote. */
export type AppContent = Pick<AppRow, 'displayName' | 'certifyPolicyId' | 'document'>;

const maxLengths = { displayName: 200, description: 10_000, instructions: 10_000 } as const;

/** The members of an app that a client may change, in their fixed form; nothing in it is checked. */
export function appContent(sent: AppJson): AppContent {
  const { displayName = '', certifyPolicyId = '', ...document } = canonicalise(AppSchema, sent);
  return { displayName: displayName.trim(), certifyPolicyId, document };
}

/** The same as one object, which can be compared member by member. */
export function contentJson({ displayName, certifyPolicyId, document }: AppContent): AppJson {
  return { ...document, displayName, certifyPolicyId };
}

/** Checks an app's name; `field` is its path in the request. */
export function findWrongName(name: string, field: string): FieldViolation[] {
  return name === '' ? [{ field, description: 'must not be empty' }] : findTooLong(name, maxLengths.displayName, field);
}

function findTooLong(text: string, length: number, field: string): FieldViolation[] {
  return text.length > length ? [{ field, description: `must not be longer than ${length} characters` }] : [];
}

/**
 * INVALID_ARGUMENT with everything that is wrong with the members named in `fields`; `prefix` is put before the name of each. The policies
 * they name are not deleted before the transaction ends.
 */
export async function requireContent(context: Context, content: AppContent, fields: ReadonlySet<string>, prefix: string): Promise<void> {
  const json = contentJson(content);
  const violations = [
    ...(fields.has('displayName') ? findWrongName(content.displayName, `${prefix}displayName`) : []),
    ...(['description', 'instructions'] as const).flatMap((member) =>
      fields.has(member) ? findTooLong(json[member] ?? '', maxLengths[member], `${prefix}${member}`) : [],
    ),
    ...(await findWrongPolicies(context, json, fields, prefix)),
  ];
  refuseInvalid(violations);
}
