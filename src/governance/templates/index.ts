/** The public interface of the module templates: its services and jobs, and templates for replies that are expanded with them. */
export { jobKinds, lookConflictsKind, lookKind, tickKind } from './series/index.ts';
export { moveChosenEntitlements, moveChosenTypes, moveTemplates, renameInTemplates, templateLoader } from './record/index.ts';
export { services } from './service.ts';
export { getTemplateNamesSql, getTemplateOwnersSql, hasTemplate, isHiddenTemplate } from './reads.ts';
