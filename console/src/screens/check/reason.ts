/** Reason the policy asks somebody, in words. */
import { type PlainTextKey, text } from '~/text/text.ts';

const words: Readonly<Record<string, PlainTextKey>> = {
  MANAGER: 'check.reasonManager',
  APP_OWNERS: 'check.reasonAppOwner',
  ENTITLEMENT_OWNERS: 'check.reasonEntitlementOwner',
  RESOURCE_OWNERS: 'check.reasonResourceOwner',
  USERS: 'check.reasonNamed',
  GROUP: 'check.reasonGroup',
  EXPRESSION: 'check.reasonExpression',
  SELF: 'check.reasonSelf',
  FALLBACK_GROUPS: 'check.reasonFallback',
  FALLBACK_USERS: 'check.reasonFallback',
  FALLBACK_APP_OWNERS: 'check.reasonFallback',
  REVIEW_OWNERS: 'check.reasonReviewOwner',
  ADMINISTRATORS: 'check.reasonAdministrator',
};

/** The words of one or several reasons; one that is not known stays as it is. */
export function reasonWords(reason: string | undefined): string {
  const parts = (reason ?? '').split(', ').filter(Boolean);
  return [...new Set(parts.map((part) => (words[part] === undefined ? part : text(words[part]))))].join(', ');
}
