/** The door of the room of policies: finding them, what their documents say, and the one a tenant starts with. */
export { ensureBuiltinPolicy, findDefaultPolicy } from './builtin.ts';
export { appOwnersFallback, certifySteps, certifyType, fallbackAnnotation, fallsBackToAppOwners, unsupportedSteps } from './document.ts';
export { policyLoader } from './load.ts';
export { services } from './service.ts';
export { findPolicy, listPoliciesByIds, type PolicyRow } from './store.ts';
export { shapePolicy } from './view.ts';
