/** Fetches the fake of Microsoft Graph in a test, and returns its rows by the names of their columns. */
import { openSpool } from '../../../src/inventory/syncs/index.ts';
import type { EntraSecrets } from '../../../src/lib/entra/credential.ts';
import { type EntraParts, openEntra } from '../../../src/lib/entra/open-entra.ts';
import type { EntraSettings } from '../../../src/lib/entra/settings.ts';
import type { FakeGraph } from './fake-graph.ts';
import type { Registration } from './sign-in.ts';
import { guid } from './tenant.ts';

/** Cells of a row that say something. */
export type Row = Readonly<Record<string, string>>;

/** An app that signs in with a secret. */
export const usualApp: Registration = { tenantId: guid(7, 1), clientId: guid(7, 2), secret: 'a secret ~ of+the/app' };

/** Fetches everything. Waits between tries are noted and not waited. */
export async function fetchEntra(
  fake: Pick<FakeGraph, 'standIns'>,
  changes: Partial<EntraSettings> = {},
  secrets: EntraSecrets = { clientSecret: usualApp.secret as string },
  parts: Partial<EntraParts> = {},
  readSecrets = () => Promise.resolve(secrets),
) {
  const { tenantId, clientId } = usualApp;
  const settings: EntraSettings = { tenantId, clientId, cloud: 'GLOBAL', attributes: [], ...changes };
  const waits: number[] = [];
  const usual: EntraParts = {
    rules: { allowed: [], allowsLocal: true, standIns: fake.standIns },
    signal: new AbortController().signal,
    now: () => new Date(),
    openSpool,
    pause: (ms) => Promise.resolve(void waits.push(ms)),
  };
  const directory = await openEntra(settings, readSecrets, { ...usual, ...parts });
  try {
    const read: Row[][] = [];
    for (const { columns, batches } of [directory.people, directory.grants]) {
      const rows: Row[] = [];
      for await (const batch of batches) {
        for (const row of batch) {
          rows.push(Object.fromEntries(columns.flatMap((name, at) => (row[at] === '' ? [] : [[name, row[at] as string]]))));
        }
      }
      read.push(rows);
    }
    const [people = [], grants = []] = read;
    return { people, grants, facts: directory.facts(), waits };
  } finally {
    await directory.close();
  }
}
