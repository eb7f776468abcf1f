/** Directories over LDAP: accounts with their groups, and people where the app is a directory. */
import { LdapSettingsSchema } from '../../../gen/countersign/v1/ldap_pb.js';
import { openLdap } from '../../../lib/ldap/open-ldap.ts';
import { findSettingFaults } from '../../../lib/ldap/settings.ts';
import { openSpool } from '../../syncs/index.ts';
import type { Asked, Fetched, Fetcher } from './types.ts';
import { readFaults } from './violations.ts';

async function open({
  settings,
  secrets,
  installation,
  isDirectory,
  clock,
  signal,
  noteStep,
}: Asked<typeof LdapSettingsSchema>): Promise<Fetched> {
  const parts = { rules: installation.outgoing, signal, openSpool, now: clock, noteStep };
  const { people, grants, facts, close } = await openLdap(settings, { bindPassword: secrets.bindPassword ?? '' }, parts);
  // A directory says of no state of its own whether it is the one before.
  return { mark: '', contents: isDirectory ? [people, grants] : [grants], facts, close };
}

/** The fetcher of directories. */
export const ldapFetcher: Fetcher<typeof LdapSettingsSchema> = {
  kind: 'LDAP',
  settings: LdapSettingsSchema,
  check: (settings) => readFaults(findSettingFaults(settings)),
  open,
};
