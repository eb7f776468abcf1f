/** The preferences of the person who is signed in: kept on the server for every browser, and in this one so that the first paint has them. */
import { useQuery } from '@tanstack/react-query';
import { setKeys, setLanguage, setLetters, setTheme, type Theme } from './display.ts';
import { call, forget, queries, read, type ReplyOf, type RequestOf } from '~/data/query.ts';

export type Preferences = NonNullable<ReplyOf<'PreferenceService.Get'>['preferences']>;

const themes: Readonly<Record<string, Theme>> = { THEME_LIGHT: 'light', THEME_DARK: 'dark' };

/** The preferences, with the time zone of the company. */
export function usePreferences() {
  return useQuery(read('PreferenceService.Get', {}));
}

/** Shows the page as they say: the theme at once, the language with the next load. */
export function applyPreferences(preferences: Preferences): void {
  setTheme(themes[preferences.theme ?? ''] ?? 'system');
  setLanguage(preferences.language ?? '');
  setLetters(preferences.letterKeysOff !== true);
  setKeys(preferences.keys ?? {});
}

/** Changes some of them on the server, and here. */
export async function savePreferences(part: Partial<Preferences>): Promise<void> {
  const { preferences = {} } = await queries.fetchQuery({ ...read('PreferenceService.Get', {}), staleTime: 0 });
  const { updatedAt: _, ...known } = preferences;
  const request: RequestOf<'PreferenceService.Set'> = { preferences: { ...known, ...part } };
  const stored = await call('PreferenceService.Set', request);
  applyPreferences(stored.preferences ?? {});
  await forget('PreferenceService.Get');
}

/** The time zone that the tenant has set; undefined where it set none, which the server answers as UTC: then the browser's holds. */
export function companyZone(tenantTimeZone: string | undefined): string | undefined {
  return tenantTimeZone === undefined || tenantTimeZone === '' || tenantTimeZone === 'UTC' ? undefined : tenantTimeZone;
}
