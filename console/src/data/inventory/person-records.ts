/** Records of people as sources report them. */
import type { ReplyOf } from '~/data/query.ts';
import type { ByValue } from '~/text/by-value.ts';
import type { PlainTextKey } from '~/text/text.ts';

export type PersonRecord = NonNullable<ReplyOf<'PersonRecordService.List'>['list']>[number];
export type Candidate = NonNullable<PersonRecord['candidates']>[number];

const anchors: ByValue<PersonRecord['anchorKind'], PlainTextKey> = {
  PERSON_ANCHOR_KIND_EXTERNAL_ID: 'disputed.anchor.externalId',
  PERSON_ANCHOR_KIND_SCIM_ID: 'disputed.anchor.scimId',
  PERSON_ANCHOR_KIND_EMPLOYEE_ID: 'disputed.anchor.employeeId',
  PERSON_ANCHOR_KIND_ADDRESS: 'disputed.anchor.address',
};

/** The name of what a source keeps the record apart by. */
export function anchorKey({ anchorKind }: PersonRecord): PlainTextKey {
  return anchors[anchorKind ?? 'PERSON_ANCHOR_KIND_ADDRESS'] ?? 'disputed.anchor.address';
}

/** What to call a record: what its source calls the person, else whatever it says of them. */
export function recordName({ displayName, email, username, anchor = '' }: PersonRecord): string {
  return displayName || email || username || anchor;
}

/** Tells a user who was pushed from a row of a file: what is pushed counts at once. */
export function isPushed({ anchorKind }: PersonRecord): boolean {
  return anchorKind === 'PERSON_ANCHOR_KIND_EXTERNAL_ID' || anchorKind === 'PERSON_ANCHOR_KIND_SCIM_ID';
}
