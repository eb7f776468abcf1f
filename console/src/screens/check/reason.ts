/** Whom a review asks, and why the policy asks them, in words. */
import { count } from '~/data/count.ts';
import type { Preview } from '~/data/reviews/review.ts';
import { number } from '~/text/format.ts';
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

/** Most names that stand in one line. */
const maxNames = 5;

/** Who is asked, with how much: a few by name, and how many more. */
export function whomWords(preview: Preview): string {
  const all = preview.reviewers ?? [];
  const names = all.slice(0, maxNames).map(({ displayName = '', items }) => `${displayName} (${number(count(items))})`);
  const people = count(preview.reviewerCount);
  return all.length === 0 ? number(people) : text('check.startWhom', { people, names: names.join(', '), more: people - names.length });
}

/** Those who are asked without one person: how many, and a few by name. */
export function without(preview: Preview, userId: string | undefined): { readonly count: number; readonly names: string } {
  const all = preview.reviewers ?? [];
  const others = all.filter((one) => one.userId !== userId);
  return {
    count: count(preview.reviewerCount) - (all.length - others.length),
    names: others
      .slice(0, maxNames)
      .map(({ displayName = '' }) => displayName)
      .join(', '),
  };
}
