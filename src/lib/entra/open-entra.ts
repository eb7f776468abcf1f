/** Fetches Microsoft Entra ID as two tables: people, then accounts with what they hold. Knows no database of ours. */
import type { Spool } from '../directories/spooled-lines.ts';
import { FetchFault } from '../tables/fetch-fault.ts';
import type { FetchedFacts, FetchedTable } from '../tables/fetched-table.ts';
import { endOfCertificate, type EntraSecrets } from './credential.ts';
import type { Directory } from './directory.ts';
import { type Findings, gatherDirectory, noFindings } from './gather.ts';
import { openGraph, Refused } from './graph.ts';
import { makeGrantsTable, makePeopleTable } from './rows.ts';
import { type EntraSettings, findSettingFaults } from './settings.ts';
import type { RequestParts } from './tries.ts';

/** Time before the end of a certificate from which on each fetch warns of it. */
const endsSoonMs = 30 * 86_400_000;

/** Things of the process that a directory needs. */
export interface EntraParts extends RequestParts {
  /** Opens the file that rows wait in. */
  readonly openSpool: () => Promise<Spool>;
  /** True if the settings are tried out: the first rows are enough. */
  readonly isTrial?: boolean;
}

/** A directory that is being fetched. */
export interface OpenDirectory {
  /** To be read before the grants, or not at all. The directory is read when the first row is asked for. */
  readonly people: FetchedTable;
  /** Accounts, and what they hold. */
  readonly grants: FetchedTable;
  /** Known once the rows were read. */
  facts(): FetchedFacts;
  /** Gives up requests and the file; to be called whatever happens. */
  close(): Promise<void>;
}

/** Begins a fetch. Reading the tables throws a FetchFault before the first row where the directory cannot be read whole. */
export async function openEntra(
  settings: EntraSettings,
  readSecrets: () => Promise<EntraSecrets>,
  parts: EntraParts,
): Promise<OpenDirectory> {
  const [fault] = findSettingFaults(settings);
  if (fault !== undefined) {
    throw new FetchFault('SETTINGS', `${fault.field} ${fault.reason}.`, { field: fault.field });
  }
  const observedFrom = parts.now();
  const spool = await parts.openSpool();
  const ended = new AbortController();
  const signal = AbortSignal.any([parts.signal, ended.signal]);
  let endsAt: Date | undefined;
  const watchSecrets = async (): Promise<EntraSecrets> => {
    const secrets = await readSecrets();
    endsAt = endOfCertificate(secrets.certificate ?? '');
    return secrets;
  };
  const graph = openGraph(settings, watchSecrets, { ...parts, signal }, parts.isTrial === true);
  const { attributes } = settings;
  const findings = noFindings();
  let gathering: Promise<Directory> | undefined;
  const gather = (): Promise<Directory> => {
    gathering ??= gatherDirectory(graph, attributes, spool, findings).catch((error: unknown) => {
      throw error instanceof Refused ? error.fault : error;
    });
    return gathering;
  };
  return {
    people: makePeopleTable(gather, spool, attributes, findings),
    grants: makeGrantsTable(gather, spool, attributes, findings),
    facts() {
      const isNear = endsAt !== undefined && endsAt.getTime() - observedFrom.getTime() <= endsSoonMs;
      const ends = isNear ? [`The certificate of the app ends on ${endsAt?.toISOString().slice(0, 10)}. Set a new one before.`] : [];
      return { observedFrom, incompleteReason: '', warnings: [...ends, ...listWarnings(findings)] };
    },
    async close() {
      ended.abort(new FetchFault('UNREACHED', 'The fetch was ended.'));
      await gathering?.catch(() => undefined);
      await spool.close();
    },
  };
}

/** Sentences about what the owner of the source may not expect. */
function listWarnings(findings: Findings): string[] {
  const said: readonly [boolean, string][] = [
    [
      findings.hasNoSignIns,
      'Last sign-ins are unknown: the app lacks the permission AuditLog.Read.All, or the directory its licence (P1).',
    ],
    [findings.hasNoEligibility, 'Who may activate a directory role is unknown: the directory has no licence for that (P2).'],
    [findings.isUncounted, 'The directory cannot count its objects, so nothing shows that all were read.'],
  ];
  const counted: readonly [number, string][] = [
    [findings.unnamedPeople, 'Users with neither an address nor an employee number, which became no people'],
    [findings.sharedAddresses, 'Users with the address of another user, which became no people of their own'],
    [findings.hiddenGroups, 'Groups with hidden members, who are read with the permission Member.Read.Hidden alone'],
    [findings.devices, 'Devices, contacts and other members of groups that are no accounts, and that are left out'],
    [findings.unknownHolders, 'Holders that are neither a user, a group nor a service principal that was read, and that are left out'],
    [findings.activations, 'Directory roles that somebody has activated for a while, which are shown as eligible alone'],
    [findings.goneObjects, 'Lists of groups and applications that were gone while they were read'],
    [findings.cyclicGroups, 'Groups that contain themselves by other groups; the circles are cut'],
    [findings.cutGroups, 'Groups that lie in others by more than 16 ways or 20 steps; the longer ways are left out'],
  ];
  return [
    ...said.flatMap(([isSo, sentence]) => (isSo ? [sentence] : [])),
    ...counted.flatMap(([count, text]) => (count === 0 ? [] : [`${text}: ${count}.`])),
  ];
}
