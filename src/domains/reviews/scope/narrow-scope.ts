/**
 * The limit of owners who may not make reviews: they narrow the scope that somebody who may has chosen, show reviewers no more attributes of accounts,
 * and make no schedule. Total and structural: everything that is not known to narrow is refused, here for every door that writes the scope of a review
 * or of a template.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { asList, asObject, asTexts } from '../../../lib/json.ts';
import { holds, isSystem } from '../../authority/index.ts';
import { members, type ReviewMember, templateMembers } from '../record/index.ts';
import { listNames, type ScopeEntry } from '../../snapshots/index.ts';

const isOfScope = (member: ReviewMember): boolean => ['scope', 'kind'].includes(members[member].group);

/** The members that say what a review looks at. */
const scopeMembers: readonly string[] = (Object.keys(members) as ReviewMember[]).filter(isOfScope);

/** The series whose review before is compared, and from which certifications are carried over: another one, or none, asks about other items. */
const seriesMember: ReviewMember = 'accessReviewTemplateId';

/** The members that say what a template's reviews look at. */
const scopeMembersOfTemplate: readonly string[] = templateMembers.flatMap(([member, name]) => (isOfScope(member) ? [name] : []));

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
function leavesOutMore(before: JsonObject, after: JsonObject): boolean {
  return Object.entries(before).every(([member, values]) => {
    const kept = asTexts(after[member]);
    return asTexts(values).every((value) => kept.includes(value));
  });
}

/** Returns the attributes of accounts that a member shows to reviewers, who may see of others' accounts a card alone. */
const attributesIn: Readonly<Record<string, (value: JsonObject) => readonly string[]>> = {
  columnConfig: ({ orderedColumns }) =>
    asList(orderedColumns)
      .map(asObject)
      .flatMap(({ appUserAttributeKey: key }) => (key === undefined ? [] : [String(key)])),
  reviewerAttributeConfig: ({ bindings }) =>
    asList(bindings)
      .map(asObject)
      .map(({ appId, attributeKey }) => `${String(appId)} ${String(attributeKey)}`),
};

function listShowingMore(before: JsonObject, after: JsonObject): string[] {
  const showsMore = ([member, listIn]: [string, (value: JsonObject) => readonly string[]]): boolean => {
    const shown = listIn(asObject(before[member]));
    return listIn(asObject(after[member])).some((name) => !shown.includes(name));
  };
  return Object.entries(attributesIn)
    .filter(showsMore)
    .map(([member]) => member);
}

function listWiderMembers(names: readonly string[], before: JsonObject, after: JsonObject): string[] {
  const wider = names.filter((member) =>
    member === 'exclusionScope'
      ? !leavesOutMore(asObject(before[member]), asObject(after[member]))
      : !isDeepStrictEqual(before[member], after[member]),
  );
  return [...wider, ...listShowingMore(before, after)];
}

/** The members of a review's scope that changed in another way than by leaving out more. */
export function listWiderInReview(before: JsonObject, after: JsonObject): string[] {
  return listWiderMembers([...scopeMembers, seriesMember], before, after);
}

/** The members that say when a template makes a review. */
const scheduleMembers: readonly string[] = ['isCampaignScheduleEnabled', 'recurrenceRule'];

/** The members of a template's scope that changed in another way than by leaving out more, and those of a schedule that makes reviews from then on. */
export function listWiderInTemplate(before: JsonObject, after: JsonObject): string[] {
  const schedule = after.isCampaignScheduleEnabled === true ? scheduleMembers : [];
  return [
    ...listWiderMembers(scopeMembersOfTemplate, before, after),
    ...schedule.filter((member) => !isDeepStrictEqual(before[member], after[member])),
  ];
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
const exemptMember: ReviewMember = 'exemptCertifiedAccessConflicts';

/** True if the actor has conflicts exempted by a review: whoever exempts one by hand. */
export function mayExempt(actor: Actor): boolean {
  return isSystem(actor) || holds(actor, 'policies.write');
}

/** Returns the document with no conflict exempted; for a copy by somebody who may not switch that on. */
export function withoutExemption<T extends object>(document: T): Omit<T, typeof exemptMember> {
  const { [exemptMember]: _off, ...rest } = document as T & { [exemptMember]?: unknown };
  return rest;
}

/** PERMISSION_DENIED where a review or a template is to exempt conflicts, did not before, and the actor may not. */
export function refuseExempting(actor: Actor, before: object, after: object, prefix = ''): void {
  const isOn = (document: object): boolean => (document as { [exemptMember]?: unknown })[exemptMember] === true;
  if (isOn(after) && !isOn(before) && !mayExempt(actor)) {
    const field = `${prefix}${exemptMember}`;
    const description = 'is switched on by those who exempt conflicts: ask a Super Administrator, or leave it off';
    throw new AppError('PERMISSION_DENIED', `${field}: ${description}.`, { violations: [{ field, description }] });
  }
}
