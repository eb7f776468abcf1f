/** Shows the console as the person who is signed in wants it: what another browser set holds here, too. */
import { useEffect } from 'react';
import { queries, read, type ReplyOf } from '~/data/query.ts';
import { applyPreferences, companyZone, usePreferences } from '~/data/session/preferences.ts';
import { setTimeZone } from '~/text/format.ts';

function apply({ preferences = {}, tenantTimeZone }: ReplyOf<'PreferenceService.Get'>): void {
  applyPreferences(preferences);
  setTimeZone(preferences.timeZone || companyZone(tenantTimeZone));
}

/** Waits for what they are, so that no page is first shown in the times of another zone. A page without them is better than none. */
export async function preferencesHere(): Promise<void> {
  await queries.ensureQueryData({ ...read('PreferenceService.Get', {}), retry: false }).then(apply, () => undefined);
}

export function usePreferencesHere(): void {
  const { data } = usePreferences();
  useEffect(() => {
    if (data !== undefined) {
      apply(data);
    }
  }, [data]);
}
