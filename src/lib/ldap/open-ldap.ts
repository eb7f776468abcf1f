/** Fetches a directory over LDAP as two tables: people, then accounts with the groups they are in. Knows no database of ours. */
import type { FetchedFacts, FetchedTable, FetchParts } from '../tables/fetched-table.ts';
import type { Spool } from '../directories/spooled-lines.ts';
import { type Gathered, gatherDirectory } from './gather.ts';
import { findSettingFaults, type LdapSettings } from './settings.ts';
import { FetchFault } from '../tables/fetch-fault.ts';
import { type Findings, makeGrantsTable, makePeopleTable } from './rows.ts';
import { type LdapSecrets, openSession } from './session.ts';

/** Things of the process that a directory needs besides. */
export interface DirectoryParts extends FetchParts {
  /** Opens the file that rows wait in. */
  readonly openSpool: () => Promise<Spool>;
}

/** A directory that is being fetched. */
export interface OpenDirectory {
  /** To be read before the grants, or not at all. The directory is read when the first row is asked for. */
  readonly people: FetchedTable;
  /** Accounts, and the groups they are in. */
  readonly grants: FetchedTable;
  /** Known once the rows were read. */
  facts(): FetchedFacts;
  /** Gives up the connection and the file; to be called whatever happens. */
  close(): Promise<void>;
}

/** Begins a fetch. Reading the tables throws an FetchFault before the first row where the directory cannot be read whole. */
export async function openLdap(settings: LdapSettings, secrets: LdapSecrets, parts: DirectoryParts): Promise<OpenDirectory> {
  const [fault] = findSettingFaults(settings);
  if (fault !== undefined) {
    throw new FetchFault('SETTINGS', `${fault.field} ${fault.reason}.`, { field: fault.field });
  }
  const observedFrom = parts.now();
  const spool = await parts.openSpool();
  const ended = new AbortController();
  const signal = AbortSignal.any([parts.signal, ended.signal]);
  const findings: Findings = { unnamedPeople: 0, sharedAddresses: 0, cyclicGroups: 0, cutGroups: 0 };
  let gathering: Promise<Gathered> | undefined;
  let gathered: Gathered | undefined;
  const read = async (): Promise<Gathered> => {
    const session = await openSession(settings, secrets, { ...parts, signal });
    try {
      gathered = await gatherDirectory(session, settings, spool, observedFrom);
      return gathered;
    } finally {
      session.close();
    }
  };
  const gather = (): Promise<Gathered> => {
    gathering ??= read();
    return gathering;
  };
  const { attributes } = settings;
  return {
    people: makePeopleTable(gather, spool, attributes, findings),
    grants: makeGrantsTable(gather, spool, attributes, findings),
    facts: () => ({ observedFrom, incompleteReason: '', warnings: gathered === undefined ? [] : listWarnings(gathered, findings) }),
    async close() {
      ended.abort(new FetchFault('UNREACHED', 'The fetch was ended.'));
      await gathering?.catch(() => undefined);
      await spool.close();
    },
  };
}

/** Sentences about what the owner of the source may not expect. */
function listWarnings({ accounts, groups, others, isActiveDirectory, keyless, unknownUids }: Gathered, findings: Findings): string[] {
  const sids = new Set(groups.map(({ sid }) => sid));
  const strayPrimary = [...accounts.primaryGroups()].reduce((sum, [sid, members]) => sum + (sids.has(sid) ? 0 : members.length), 0);
  const outside = others.filter(({ isOutside }) => isOutside).length;
  const unknown = others.filter(({ group, isOutside }) => group === undefined && !isOutside).length;
  const told: readonly [number, string][] = [
    [findings.unnamedPeople, 'Accounts with neither an address nor an employee number, which became no people'],
    [findings.sharedAddresses, 'Accounts with the address of another account, which became no people of their own'],
    [outside, 'Members of groups outside the base DN, each an account without an owner (`unresolved`)'],
    [unknown, 'Members of groups below the base DN that no filter finds, and that are left out'],
    [unknownUids, 'Names in `memberUid` that are the user name of no account, and that are left out'],
    [strayPrimary, 'Accounts whose primary group the group filter does not find, and who are not shown in it'],
    [keyless, 'Entries without an identifier that stays: renaming one ends its access and adds it anew'],
    [findings.cyclicGroups, 'Groups that contain themselves by other groups; the circles are cut'],
    [findings.cutGroups, 'Groups that lie in others by more than 16 ways or 20 steps; the longer ways are left out'],
  ];
  const sentences = told.flatMap(([count, text]) => (count === 0 ? [] : [`${text}: ${count}.`]));
  return isActiveDirectory ? [...sentences, 'Last use comes from lastLogonTimestamp, which lags up to 14 days behind.'] : sentences;
}
