/**
 * The limit of owners who may not make reviews: they narrow the scope that somebody who may has chosen, show reviewers no more attributes of accounts,
 * and make no schedule. Total and structural: everything that is not known to narrow is refused, here for every door that writes the scope of a review
 * or of a template.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { AccessReviewTemplateJson } from '../../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import { holds, isSystem } from '../../../foundation/authority/index.ts';
import {
  groupOfMember,
  type MemberOf,
  members,
  type ReviewMember,
  type ReviewSettings,
  type TemplateMember,
  templateMembers,
} from '../record/index.ts';
import { listNames, type ScopeEntry } from '../../snapshots/index.ts';

const isOfScope = (member: ReviewMember): boolean => groupOfMember[member] === 'scope' || groupOfMember[member] === 'kind';

/** The members that say what a review looks at. */
const scopeMembers: readonly ReviewMember[] = (Object.keys(members) as ReviewMember[]).filter(isOfScope);

/** The series whose review before is compared, and from which certifications are carried over: another one, or none, asks about other items. */
const seriesMember: ReviewMember = 'accessReviewTemplateId';

/** The members that say what a template's reviews look at. */
const scopeMembersOfTemplate: readonly TemplateMember[] = templateMembers.flatMap(([member, name]) => (isOfScope(member) ? [name] : []));

/** Returns a key for each entry of a list, made of all its members. */
function keysOf(list: readonly object[]): ReadonlySet<string> {
  return new Set(list.map((entry) => JSON.stringify(Object.entries(entry).sort())));
}

/** True if everything stays, so that a list which leaves out leaves out as much as before. */
function keepsAll(before: readonly object[], after: readonly object[]): boolean {
  const kept = keysOf(after);
  return [...keysOf(before)].every((key) => kept.has(key));
}

/** True if a list that takes in is the same or shorter; one that becomes empty may stand for everything. */
export function isShorter(before: readonly object[], after: readonly object[]): boolean {
  return keepsAll(after, before) && (after.length > 0 || before.length === 0);
}

/** True if each list of an exclusion scope has at least what it had. */
function leavesOutMore(before: ReviewSettings['exclusionScope'] = {}, after: Readonly<Record<string, readonly string[]>> = {}): boolean {
  return Object.entries<readonly string[]>(before).every(([member, values]) => values.every((value) => after[member]?.includes(value)));
}

type PresentationMember = MemberOf<'presentation'>;

/** Returns the attributes of accounts that a member shows to reviewers, who may see of others' accounts a card alone. */
const attributesIn: { readonly [Member in PresentationMember]: (value: ReviewSettings[Member]) => readonly string[] } = {
  columnConfig: ({ orderedColumns = [] } = {}) => orderedColumns.flatMap(({ appUserAttributeKey: key }) => key ?? []),
  defaultView: () => [],
  reviewerAttributeConfig: ({ bindings = [] } = {}) => bindings.map(({ appId, attributeKey }) => `${appId} ${attributeKey}`),
};

/** What a review and a template say alike. */
type Shared = Pick<ReviewSettings, PresentationMember | 'exclusionScope'>;

function listShowingMore(before: Shared, after: Shared): PresentationMember[] {
  const showsMore = <Member extends PresentationMember>(member: Member): boolean => {
    const shown = attributesIn[member](before[member]);
    return attributesIn[member](after[member]).some((name) => !shown.includes(name));
  };
  return (Object.keys(attributesIn) as PresentationMember[]).filter(showsMore);
}

function listWiderMembers<T extends Shared>(names: readonly (keyof T & string)[], before: T, after: T): string[] {
  const wider = names.filter((member) =>
    member === 'exclusionScope'
      ? !leavesOutMore(before.exclusionScope, after.exclusionScope)
      : !isDeepStrictEqual(before[member], after[member]),
  );
  return [...wider, ...listShowingMore(before, after)];
}

/** The members of a review's scope that changed in another way than by leaving out more. */
export function listWiderInReview(before: ReviewSettings, after: ReviewSettings): string[] {
  return listWiderMembers([...scopeMembers, seriesMember], before, after);
}

type TemplateScope = Pick<AccessReviewTemplateJson, TemplateMember>;

/** The members of a template's scope that changed in another way than by leaving out more. */
export function listWiderInTemplate(before: TemplateScope, after: TemplateScope): string[] {
  return listWiderMembers(scopeMembersOfTemplate, before, after);
}

/** The lists beside a scope that changed in another way than by becoming shorter, or longer where they leave out. */
export function listWiderLists(before: readonly ScopeEntry[], after: readonly ScopeEntry[]): string[] {
  const narrows: Readonly<Record<ScopeEntry['list'], (was: readonly ScopeEntry[], is: readonly ScopeEntry[]) => boolean>> = {
    MONITOR: isShorter,
    RESOURCE: isShorter,
    SCOPE_ROLE: isShorter,
    EXCLUSION: keepsAll,
    // Carries over what was certified, without asking: more than leaving out.
    CHANGES_ONLY: (was, is) => was.length === is.length,
    // Where any are listed, nothing else is asked about.
    GRANT: (was, is) => was.length === 0 || isShorter(was, is),
  };
  const of = (entries: readonly ScopeEntry[], list: ScopeEntry['list']) => entries.filter((entry) => entry.list === list);
  const lists = Object.keys(narrows) as ScopeEntry['list'][];
  return lists.filter((list) => !narrows[list](of(before, list), of(after, list))).map((list) => listNames[list]);
}

/** True if the actor chooses any scope; whoever may not only narrows. */
function mayChooseScope(actor: Actor): boolean {
  return isSystem(actor) || holds(actor, 'reviews.create');
}

const wayOut =
  'is chosen by people who may make reviews: ask a Super Administrator, or a Campaign Administrator who is an owner here; you may leave out more with exclusions and shorten a list, but not empty it';

/** PERMISSION_DENIED where the actor may only narrow and these fields do something else. */
export function refuseWider(actor: Actor, fields: readonly string[]): void {
  if (fields.length > 0 && !mayChooseScope(actor)) {
    const violations = fields.map((field) => ({ field, description: wayOut }));
    throw new AppError('PERMISSION_DENIED', `${fields.join(', ')}: ${wayOut}.`, { violations });
  }
}

/** Member that has a conflict exempted once its access is certified; a template calls it the same. */
const exemptMember = 'exemptCertifiedAccessConflicts';

type Exempting = Pick<ReviewSettings, typeof exemptMember>;

/** True if the actor has conflicts exempted by a review: whoever exempts one by hand. */
export function mayExempt(actor: Actor): boolean {
  return isSystem(actor) || holds(actor, 'policies.write');
}

/** Returns the document with no conflict exempted; for a copy by somebody who may not switch that on. */
export function withoutExemption<T extends Exempting>(document: T): Omit<T, typeof exemptMember> {
  const { [exemptMember]: _off, ...rest } = document;
  return rest;
}

/** PERMISSION_DENIED where a review or a template is to exempt conflicts, did not before, and the actor may not. */
export function refuseExempting(actor: Actor, before: Exempting, after: Exempting, prefix = ''): void {
  if (after[exemptMember] === true && before[exemptMember] !== true && !mayExempt(actor)) {
    const field = `${prefix}${exemptMember}`;
    const description = 'is switched on by those who exempt conflicts: ask a Super Administrator, or leave it off';
    throw new AppError('PERMISSION_DENIED', `${field}: ${description}.`, { violations: [{ field, description }] });
  }
}
