/** Microsoft Entra ID: accounts with what they hold, and people where the app is a directory. */
import type { FieldViolation } from '../../../errors.ts';
import { EntraSettingsSchema } from '../../../gen/countersign/v1/entra_pb.js';
import { openEntra } from '../../../lib/entra/open-entra.ts';
import { type CloudName, type EntraSettings, findSettingFaults } from '../../../lib/entra/settings.ts';
import { openSpool } from '../../syncs/index.ts';
import type { Asked, Fetched, Fetcher } from './types.ts';
import { readFaults } from './violations.ts';

/** Settings as clients send them. */
type SentSettings = Omit<EntraSettings, 'cloud'> & { readonly cloud: string };

function readSettings(sent: SentSettings): EntraSettings {
  const cloud = sent.cloud.replace('ENTRA_CLOUD_', '').replace('UNSPECIFIED', 'GLOBAL');
  return { ...sent, cloud: cloud as CloudName };
}

function check(sent: SentSettings): FieldViolation[] {
  return readFaults(findSettingFaults(readSettings(sent)));
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
}: Asked<SentSettings>): Promise<Fetched> {
  const parts = { rules: installation.outgoing, signal, openSpool, isTrial, now: clock, noteStep };
  const { people, grants, facts, close } = await openEntra(readSettings(settings), readSecrets, parts);
  // A directory says of no state of its own whether it is the one before.
  return { mark: '', contents: isDirectory ? [people, grants] : [grants], facts, close };
}

/** The fetcher of Microsoft Entra ID. */
export const entraFetcher: Fetcher<SentSettings> = { kind: 'ENTRA', settings: EntraSettingsSchema, check, open };
