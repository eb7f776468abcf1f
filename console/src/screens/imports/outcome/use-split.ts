/** Importing a file of several apps: the server gives each app its rows, and one that is refused holds up none of the others. */
import { useSend } from '~/data/act.ts';
import { useState } from 'react';
import { announce } from '~/app/announce.ts';
import type { Sync } from '~/data/inventory/inventory.ts';
import { queries } from '~/data/query.ts';
import { sendFile } from '~/data/inventory/upload.ts';
import { text } from '~/text/text.ts';

/** Outcome for one app of the file. */
export interface AppOutcome {
  readonly app: string;
  readonly sync: Sync | undefined;
  readonly error: string;
}

interface Asked {
  readonly file: Blob;
  readonly appColumn: string;
  readonly sheet: string;
  readonly map: readonly string[];
}

export function useSplit() {
  const [sent, setSent] = useState(0);
  const mutation = useSend({
    mutationFn: async ({ file, map, ...asked }: Asked): Promise<AppOutcome[]> => {
      setSent(0);
      const request = { ...asked, splitByApp: true, map: [...map] };
      const { apps = [] } = await sendFile('ImportService.ImportGrants', request, file, setSent);
      return apps.map(({ app = '', import: sync, refusal }) => ({ app, sync, error: refusal?.message ?? '' }));
    },
    onSuccess: () => announce(text('imports.done')),
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'inspect' }),
  });
  return { mutation, sent };
}
