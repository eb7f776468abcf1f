/** Shows the console as the person who is signed in wants it: what another browser set holds here, too. */
import { useEffect } from 'react';
import { applyPreferences, companyZone, usePreferences } from '~/data/session/preferences.ts';
import { setTimeZone } from '~/text/format.ts';

export function usePreferencesHere(): void {
  const { data } = usePreferences();
  useEffect(() => {
    if (data !== undefined) {
      applyPreferences(data.preferences ?? {});
      setTimeZone(data.preferences?.timeZone || companyZone(data.tenantTimeZone));
    }
  }, [data]);
}
