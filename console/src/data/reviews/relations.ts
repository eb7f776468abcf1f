/** Relations of a reviewer to what they review, in words. */
import type { ByValue } from '~/text/by-value.ts';
import type { PlainTextKey } from '~/text/text.ts';
import type { RequestOf } from '~/data/query.ts';

export type Relation = NonNullable<RequestOf<'ReviewIndependenceService.SetIndependence'>['blocked']>[number];

/** Each relation with its name. */
export const relations: ByValue<Relation, PlainTextKey> = {
  REVIEWER_RELATION_SELF: 'relations.self',
  REVIEWER_RELATION_MANAGER: 'relations.manager',
  REVIEWER_RELATION_REPORT: 'relations.report',
  REVIEWER_RELATION_GRANTER: 'relations.granter',
  REVIEWER_RELATION_APP_OWNER: 'relations.appOwner',
  REVIEWER_RELATION_APP_ADMINISTRATOR: 'relations.appAdministrator',
  REVIEWER_RELATION_ISSUED_CREDENTIAL: 'relations.issuedCredential',
  REVIEWER_RELATION_RECIPROCAL: 'relations.reciprocal',
};

/** The name of a relation. */
export function relationKey(relation: Relation | undefined): PlainTextKey {
  return relations[relation ?? ''] ?? 'relations.other';
}
