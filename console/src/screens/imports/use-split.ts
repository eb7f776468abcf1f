/** Importing a file of several apps: each app by itself, one after the other. One that is refused holds up none of the others. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { announce } from '../../app/announce.ts';
import type { Sync } from '../../data/inventory.ts';
import { ClientError, queries } from '../../data/query.ts';
import { type Form, splitByApp } from '../../data/split-apps.ts';
import { sendFile } from '../../data/upload.ts';
import { text } from '../../text/text.ts';

/** What came of one app of the file. */
export interface AppOutcome {
  readonly app: string;
  readonly sync: Sync | undefined;
  readonly error: string;
}

interface Asked {
  readonly file: File;
  readonly form: Form;
  readonly column: string;
  readonly map: readonly string[];
}

export function useSplit() {
  const [progress, setProgress] = useState({ done: 0, of: 0 });
  const mutation = useMutation({
    mutationFn: async ({ file, form, column, map }: Asked): Promise<AppOutcome[]> => {
      const parts = await splitByApp(file, form, column);
      const outcomes: AppOutcome[] = [];
      for (const part of parts) {
        setProgress({ done: outcomes.length, of: parts.length });
        try {
          const request = { app: part.app, map: [...map] };
          const { import: sync } = await sendFile('ImportService.ImportGrants', request, part.content, () => undefined);
          outcomes.push({ app: part.app, sync, error: '' });
        } catch (error) {
          // Anything but a refusal of this app's rows stands in the way of all of them.
          if (!(error instanceof ClientError) || error.status !== 400) {
            throw error;
          }
          outcomes.push({ app: part.app, sync: undefined, error: error.message });
        }
      }
      return outcomes;
    },
    onSuccess: () => announce(text('imports.done')),
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'inspect' }),
  });
  return { mutation, progress };
}
