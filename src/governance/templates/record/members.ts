/** Members of a template that clients say. Those that become members of its reviews stand in the table of those, the others here. */
import type { AccessReviewTemplateJson } from '../../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import type { TemplateMember } from '../../reviews/index.ts';

/** Members of the message that the server sets. A client's `nextScheduledCampaignAt` moves the start of the schedule, and is kept there. */
type ServerMember = 'createdAt' | 'deletedAt' | 'id' | 'nextScheduledCampaignAt' | 'occurrences' | 'updatedAt';

/** The writable members of the AccessReviewTemplate message in canonical wire form. */
export type TemplateSettings = Omit<AccessReviewTemplateJson, ServerMember>;

/** Every member that no review has; true for those that say when a review is made. */
const ownMembers: Readonly<Record<Exclude<keyof TemplateSettings, TemplateMember>, boolean>> = {
  accessReviewDuration: false,
  annotations: false,
  isCampaignScheduleEnabled: true,
  recurrenceRule: true,
  slackChannel: false,
};

const ofSchedule = new Map<string, boolean>(Object.entries(ownMembers));

/** True if this member says when a template makes a review. */
export const isOfSchedule = (member: string): boolean => ofSchedule.get(member) === true;
