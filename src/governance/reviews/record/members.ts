/**
 * Review as clients say it, member by member: the one table from which everything follows that differs from member to member. A member of the
 * message that is not in it does not compile.
 */
import type { AccessReviewTemplateJson } from '../../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import type { AccessReviewServiceCreateRequestJson } from '../../../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import type { AccessReviewJson } from '../../../gen/c1/api/accessreview/v1/accessreview_pb.js';

/** Members of the message that the server alone sets. */
type ServerMember =
  | 'campaignHealth'
  | 'campaignInsights'
  | 'closedAt'
  | 'connectorSourcesFrozenAt'
  | 'createdAt'
  | 'createdById'
  | 'emptiedAt'
  | 'errorState'
  | 'id'
  | 'legalHold'
  | 'startedAt'
  | 'state'
  | 'updatedAt';

/** The writable members of the AccessReview message in canonical wire form: every scalar and list of every message in it is there. */
export type ReviewSettings = Omit<AccessReviewJson, ServerMember>;

/** A member that clients say. */
export type ReviewMember = keyof ReviewSettings;

/** Members that may change together: in which state is said by changeable.ts. */
export type MemberGroup =
  | 'texts'
  | 'presentation'
  | 'completion'
  | 'start'
  | 'notifications'
  | 'closing'
  | 'signature'
  | 'rules'
  | 'scope'
  | 'computed'
  | 'kind';

/** The members of a template of this type. */
type TemplateMemberLike<Value> = {
  [Name in keyof AccessReviewTemplateJson]-?: Value extends AccessReviewTemplateJson[Name] ? Name : never;
}[keyof AccessReviewTemplateJson];

/** Differences between members. */
interface MemberRule<Member extends ReviewMember> {
  readonly group: MemberGroup;
  /** A create request says it, too. */
  readonly create: Member extends keyof AccessReviewServiceCreateRequestJson ? true : false;
  /** The member of a template that becomes it, and that it becomes: its namesake, but that the scope of a template is scopeV2 here; else null. */
  readonly template: Member extends Exclude<TemplateMemberLike<AccessReviewJson[Member]>, 'scope'>
    ? Member
    : TemplateMemberLike<AccessReviewJson[Member]> | null;
  /** Reviewers read it, too. */
  readonly reviewers: boolean;
  /** Most UTF-16 code units of a text; null where the size of a request is the only limit. */
  readonly maximum: number | null;
}

/** Every member that clients say of a review. */
export const members = {
  displayName: { group: 'texts', create: true, template: 'displayName', reviewers: true, maximum: 1_000 },
  description: { group: 'texts', create: true, template: 'description', reviewers: true, maximum: 100_000 },
  reviewInstructions: { group: 'texts', create: false, template: 'reviewInstructions', reviewers: true, maximum: 100_000 },
  columnConfig: { group: 'presentation', create: false, template: 'columnConfig', reviewers: true, maximum: null },
  defaultView: { group: 'presentation', create: false, template: 'defaultView', reviewers: true, maximum: null },
  reviewerAttributeConfig: { group: 'presentation', create: false, template: 'reviewerAttributeConfig', reviewers: true, maximum: null },
  completionDate: { group: 'completion', create: true, template: null, reviewers: true, maximum: null },
  scheduledStartDate: { group: 'start', create: false, template: null, reviewers: false, maximum: null },
  autoStartCampaign: { group: 'start', create: false, template: 'autoStartCampaign', reviewers: false, maximum: null },
  accuracyIssueAction: { group: 'start', create: false, template: 'accuracyIssueAction', reviewers: false, maximum: null },
  notificationConfig: { group: 'notifications', create: true, template: 'notificationConfig', reviewers: false, maximum: null },
  autoCloseCampaign: { group: 'closing', create: false, template: 'autoCloseCampaign', reviewers: false, maximum: null },
  autoCloseDecision: { group: 'closing', create: false, template: 'autoCloseDecision', reviewers: false, maximum: null },
  autoGenerateReport: { group: 'closing', create: false, template: 'autoGenerateReport', reviewers: false, maximum: null },
  signatureConfig: { group: 'signature', create: false, template: 'signatureConfig', reviewers: true, maximum: null },
  policyId: { group: 'rules', create: true, template: 'policyId', reviewers: false, maximum: null },
  usePolicyOverride: { group: 'rules', create: false, template: 'usePolicyOverride', reviewers: false, maximum: null },
  autoResolve: { group: 'rules', create: false, template: 'autoResolve', reviewers: false, maximum: null },
  exemptCertifiedAccessConflicts: {
    group: 'rules',
    create: false,
    template: 'exemptCertifiedAccessConflicts',
    reviewers: false,
    maximum: null,
  },
  scope: { group: 'scope', create: false, template: null, reviewers: false, maximum: null },
  inclusionScope: { group: 'scope', create: false, template: 'inclusionScope', reviewers: false, maximum: null },
  exclusionScope: { group: 'scope', create: false, template: 'exclusionScope', reviewers: false, maximum: null },
  scopeV2: { group: 'scope', create: true, template: 'scope', reviewers: false, maximum: null },
  singleApp: { group: 'scope', create: false, template: null, reviewers: false, maximum: null },
  multiApp: { group: 'scope', create: false, template: 'multiApp', reviewers: false, maximum: null },
  bindings: { group: 'scope', create: false, template: null, reviewers: false, maximum: null },
  // A client's while the review is a draft, the server's from prepare on.
  accessReviewTemplateId: { group: 'computed', create: false, template: null, reviewers: false, maximum: null },
  expectedTicketCount: { group: 'computed', create: false, template: null, reviewers: false, maximum: null },
  hasAccuracySupport: { group: 'computed', create: false, template: null, reviewers: false, maximum: null },
  scopingVersion: { group: 'computed', create: false, template: null, reviewers: false, maximum: null },
  scopeType: { group: 'kind', create: true, template: 'scopeType', reviewers: false, maximum: null },
} as const satisfies { readonly [Member in ReviewMember]: MemberRule<Member> };

type Members = typeof members;

type Rule = Members[keyof Members];

/** The members of a group. */
export type MemberOf<Group extends MemberGroup> = {
  [Member in keyof Members]: Members[Member]['group'] extends Group ? Member : never;
}[keyof Members];

/** The members of a template that become those of a review. */
export type TemplateMember = NonNullable<Rule['template']>;

const rules = Object.entries<Rule>(members) as readonly (readonly [ReviewMember, Rule])[];

/** The group of every member by its name; undefined for what is none. */
export const groupOfMember: Readonly<Record<string, MemberGroup>> = Object.fromEntries(rules.map(([member, { group }]) => [member, group]));

/** Each member that a template says, and how it is called there. */
export const templateMembers: readonly (readonly [ReviewMember, TemplateMember])[] = rules.flatMap(([member, { template }]) =>
  template === null ? [] : [[member, template] as const],
);

/** Returns the members whose row in the table is wanted; what is no member is left out. */
export function pickMembers(settings: ReviewSettings, isWanted: (rule: Rule, member: ReviewMember) => boolean): ReviewSettings {
  return Object.fromEntries(
    rules.flatMap(([member, rule]) => (settings[member] !== undefined && isWanted(rule, member) ? [[member, settings[member]]] : [])),
  );
}
