/** The record of a template: what is stored of it, who may see and manage it, and when it makes reviews. */
export { templateDocument, reviewDuration, ownZoneOf, reviewMembersOf, setupMembers } from './document.ts';
export { isOfSchedule, type TemplateSettings } from './members.ts';
export { readTemplates, templateLoader } from './list.ts';
export { readOwners, setOwners } from './owners.ts';
export { maySeeTemplate, noSuchTemplate, requireLockedTemplate, requireTemplate } from './permit.ts';
export { type Recurrence, findNumberUpTo, findOccurrence } from './recurrence.ts';
export { changesSchedule, findActiveRecurrence, nextFrom, restartSchedule, templateZone } from './schedule.ts';
export { type TemplateSetup, readScopeLists, readSetup, setEntitlements, setResourceTypes, setScopeLists } from './setup.ts';
export { moveChosenEntitlements, moveChosenTypes, moveTemplates, renameInTemplates } from './store-merge.ts';
export { updateOwners } from './store-owners.ts';
export { listChosenEntitlements, listChosenResourceTypes, updateEntitlements, updateResourceTypes } from './store-setup.ts';
export {
  type TemplateRow,
  findNextMoment,
  findTemplate,
  insertTemplate,
  listDueTemplates,
  listTemplatesElsewhere,
  lockTemplate,
  removeTemplate,
  updateTemplate,
} from './store.ts';
export { listViolations } from './validate-template.ts';
export { shapeTemplate, shapeTemplateEntitlement } from './view.ts';
export { insertOccurrence, updateOccurrenceReview } from './store-occurrences.ts';
