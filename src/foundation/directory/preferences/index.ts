/** The public interface of the part preferences: what a person prefers, for themselves alone. */
export { findOwnTimeZone, readPreferences, setPreferences } from './preferences.ts';
export type { ThemeName } from './store-preferences.ts';
