/** Microsoft Entra ID: accounts with what they hold, and people where the app is a directory. */
import { EntraSettingsSchema } from '../../../gen/countersign/v1/entra_pb.js';
import { openEntra } from '../../../lib/entra/open-entra.ts';
import { type EntraSettings, findSettingFaults } from '../../../lib/entra/settings.ts';
import { bareName } from '../../../wire/names.ts';
import { openSpool } from '../../syncs/index.ts';
import type { Asked, Fetched, Fetcher, Settings } from './types.ts';
import { readFaults } from './violations.ts';

function readSettings(sent: Settings<typeof EntraSettingsSchema>): EntraSettings {
  const cloud = bareName('ENTRA_CLOUD_', sent.cloud);
  return { ...sent, cloud: cloud === 'UNSPECIFIED' ? 'GLOBAL' : cloud };
}

async function open({
  settings,
  readSecrets,
  installation,
  isDirectory,
  isTrial = false,
  clock,
  signal,
  noteStep,
}: Asked<typeof EntraSettingsSchema>): Promise<Fetched> {
  const parts = { rules: installation.outgoing, signal, openSpool, isTrial, now: clock, noteStep };
  const { people, grants, facts, close } = await openEntra(readSettings(settings), readSecrets, parts);
  // A directory says of no state of its own whether it is the one before.
  return { mark: '', contents: isDirectory ? [people, grants] : [grants], facts, close };
}

/** The fetcher of Microsoft Entra ID. */
export const entraFetcher: Fetcher<typeof EntraSettingsSchema> = {
  kind: 'ENTRA',
  settings: EntraSettingsSchema,
  check: (sent) => readFaults(findSettingFaults(readSettings(sent))),
  open,
};
