/** The public interface of the part settings: what a tenant asks of tokens and of the networks they are used from. */
export { isSourceAllowed } from './check-source.ts';
export { sessionSettingsService } from './service-settings.ts';
export { compileSource, maxTokenSeconds, sourceOf } from './session-settings.ts';
export { findSettings } from './store-settings.ts';
