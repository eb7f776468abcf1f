/** The public interface of the module policies: finding them, what their documents say, and the one a tenant starts with. */
export { ensureBuiltinPolicy, findDefaultPolicy } from './builtin.ts';
export { certifySteps, certifyType, fallsBackToAppOwners, unsupportedSteps } from './document.ts';
export { policyLoader } from './load.ts';
export { services } from './service.ts';
