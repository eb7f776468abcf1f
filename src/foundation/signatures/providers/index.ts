/** The public interface of the part providers: where people prove anew who they are. */
export { findEnabledProvider, openClientSecret, requireProvider } from './change-providers.ts';
export { isEnabled, type StepUpSettings, stepUpSettings } from './provider-document.ts';
export { createProviderMethods } from './service-providers.ts';
export { signatureSlot } from './slots.ts';
export { findProvider, mapProviderNames, type StepUpProviderRow, updateLastTested } from './store-providers.ts';
