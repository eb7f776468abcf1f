/**
 * `countersign log`: `show` and `prove` through the API, `check` and `restart` on the database itself, whether or not a server runs: whoever checks
 * the log does not ask the service that wrote it.
 */
import { readFile } from 'node:fs/promises';
import type { Commands } from '../frame/commands.ts';
import type { Context } from '../../context.ts';
import { systemActor } from '../../context.ts';
import type { Database } from '../../db/types.ts';
import { CommandFailure, collect, count, UsageError } from '../frame/io.ts';
import { addProofCommands } from '../operation/log-proof.ts';
import { onDatabase, withLocalDatabase } from './database.ts';

/** Result of a check of one log. */
interface Checked {
  readonly tenant: string;
  readonly events: number;
  readonly checkpoints: number;
  readonly rows: number;
  readonly findings: number;
  readonly sentences: readonly string[];
  readonly notes: readonly string[];
}

/** Adds the `log` commands. */
export function addLogCommands(group: Commands): void {
  addProofCommands(group);

  group.run('check', {
    description: 'check that the log and what it vouches for are as they were sealed; exit code 1 where they are not',
    shared: (command) => onDatabase(command).option('--against <file>', 'a checkpoint kept outside; may be repeated', collect),
    options: {
      '--tenant <host>': 'only the log of this tenant',
      '--since <position>': { text: 'from this position on', fallback: '0' },
    },
    act: async (given, { io }) => {
      const since = Number(given.since);
      if (!/^\d{1,15}$/.test(given.since)) {
        throw new UsageError('--since is the position of an event');
      }
      const notes = await readNotes((given as { against?: readonly string[] }).against ?? []);
      // 1 says that something does not hold, so what keeps the check from running is 2.
      const checked = await withLocalDatabase(io, given, (database) => checkTenants(database, given.tenant, since, notes)).catch(
        (error: unknown) => {
          throw error instanceof UsageError ? error : new CommandFailure(error instanceof Error ? error.message : String(error), 2);
        },
      );
      const findings = checked.reduce((sum, one) => sum + one.findings, 0);
      return {
        json: checked,
        text: checked.flatMap(describe),
        ...(findings === 0 ? {} : { failure: `${count(findings)} ${findings === 1 ? 'thing does' : 'things do'} not hold` }),
      };
    },
  });

  group.run('restart', {
    description: 'begin the next tree of a log that was cut, changed or restored from an old backup',
    shared: onDatabase,
    operands: { '<host>': 'host of the tenant' },
    options: { '--reason <text>': { text: 'why, for whoever reads the log', needed: true } },
    act: async (given, { io }) => {
      const { epoch, origin } = await withLocalDatabase(io, given, async (database) => {
        const { restartLog } = await import('../../foundation/log-proofs/index.ts');
        const [context] = await contextsOf(database, given.host);
        return restartLog(context as Context, given.reason);
      });
      return { json: { epoch, origin }, text: `The log goes on in epoch ${epoch}, which is known as ${origin}.` };
    },
  });
}

async function readNotes(files: readonly string[]): Promise<{ file: string; note: Buffer }[]> {
  return Promise.all(
    files.map(async (file) => ({
      file,
      note: await readFile(file).catch((error: unknown) => {
        throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      }),
    })),
  );
}

/** The tenant with this host, or all; each acts for itself. */
async function contextsOf(database: Database, host: string | undefined): Promise<(Context & { readonly host: string })[]> {
  const [{ listTenants }, { reactions }, { silentLogger }] = await Promise.all([
    import('../../foundation/tenants/index.ts'),
    import('../../reactions.ts'),
    import('../../context.ts'),
    import('../../slots.ts'),
  ]);
  const tenants = (await listTenants(database)).filter((tenant) => host === undefined || tenant.host === host.toLowerCase());
  if (tenants.length === 0 && host !== undefined) {
    throw new CommandFailure(`there is no tenant with the host ${host}`);
  }
  const [now, actor] = [new Date(), systemActor('command line')];
  return tenants.map(({ id, host: own }) => ({
    db: database.tenant(id),
    tenantId: id,
    actor,
    now,
    log: silentLogger,
    react: reactions,
    host: own,
  }));
}

async function checkTenants(
  database: Database,
  host: string | undefined,
  since: number,
  notes: readonly { readonly file: string; readonly note: Buffer }[],
): Promise<Checked[]> {
  const { checkLog, readOutsideCheckpoint, sealFirst } = await import('../../foundation/log-proofs/index.ts');
  const contexts = await contextsOf(database, host);
  if (notes.length > 0 && contexts.length !== 1) {
    throw new UsageError('--against goes with --tenant: a checkpoint is of one log');
  }
  const checked: Checked[] = [];
  for (const context of contexts) {
    await sealFirst(context);
    const read = await Promise.all(notes.map(({ file, note }) => readOutsideCheckpoint(context, file, note)));
    const refused = read.filter((one) => typeof one === 'string');
    const state = await checkLog(context, { outside: read.filter((one) => typeof one !== 'string') }, since);
    const { events, checkpoints, rows, findings, sentences } = state;
    checked.push({
      tenant: context.host,
      events,
      checkpoints,
      rows,
      findings: findings + refused.length,
      sentences: [...refused, ...sentences],
      notes: notesOf(state),
    });
  }
  return checked;
}

/** Sentences on what a check cannot say. */
function notesOf({ uncoded, unjudged }: { readonly uncoded: number; readonly unjudged: number }): string[] {
  return [
    ...(uncoded === 0 ? [] : [`${count(uncoded)} events are of before events had a code: nothing but the tree vouches for them.`]),
    ...(unjudged === 0 ? [] : [`The codes of ${count(unjudged)} events are by a key whose secret was not given (--log-secret-file).`]),
  ];
}

function describe({ tenant, events, checkpoints, rows, findings, sentences, notes }: Checked): string[] {
  const sum = `${count(events)} events, ${count(checkpoints)} checkpoints and ${count(rows)} rows of evidence`;
  return [
    findings === 0 ? `${tenant}: ${sum} are as they were sealed.` : `${tenant}: of ${sum} ${count(findings)} do not hold.`,
    ...sentences.map((sentence) => `DOES NOT HOLD: ${sentence}`),
    ...(sentences.length < findings ? [`... and ${count(findings - sentences.length)} more`] : []),
    ...notes.map((note) => `note: ${note}`),
  ];
}
