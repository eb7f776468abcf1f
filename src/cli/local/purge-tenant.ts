/**
 * Purging a deleted tenant: its log and the files of its reports are written to a folder, then every row of it goes. The receipt stays in the database,
 * with the last checkpoints of the log and the hash of what was exported.
 */
import { createHash } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ErasureReceipt, eraseTenant, isErasureBegun } from '../../db/erase-tenant.ts';
import type { Database } from '../../db/types.ts';
import { type Context, systemActor, type Logger } from '../../context.ts';
import { askPurge, confirmPurge } from '../../outward/erasures/index.ts';
import { listLastNotes, readLogLines, sealFirst } from '../../foundation/log-proofs/index.ts';
import { openAllReports } from '../../outward/reports/index.ts';
import type { RequestRow } from '../../foundation/second-persons/index.ts';
import { reactions } from '../../reactions.ts';
import '../../slots.ts';
import { makeFolders } from '../../lib/files/file-reason.ts';
import { CommandFailure } from '../frame/io.ts';
import { fileFailure } from './file-failure.ts';

/** A tenant to be purged, and by whom. */
export interface Purge {
  readonly tenantId: string;
  readonly deletedAt: Date;
  readonly by: string;
  /** Folder that does not exist, or is empty. */
  readonly folder: string;
}

function contextOf(database: Database, tenantId: string, log: Logger): Context {
  const now = new Date();
  return { db: database.tenant(tenantId), tenantId, actor: systemActor('tenant purge'), now, log, react: reactions };
}

/** Asks for the purge, which another operator confirms. */
export function askTenantPurge(database: Database, { tenantId, deletedAt, by }: Purge, log: Logger): Promise<RequestRow> {
  return askPurge(contextOf(database, tenantId, log), deletedAt, by);
}

/** Confirms the purge, exports and erases. Whoever was killed runs it again: where erasing had begun it goes on, else with another folder. */
export async function purgeTenant(database: Database, purge: Purge, log: Logger): Promise<ErasureReceipt> {
  const { tenantId, deletedAt, by, folder } = purge;
  if (await isErasureBegun(database.system(), tenantId)) {
    // It was exported before anything went.
    return eraseTenant(database, tenantId, { who: by, now: () => new Date() });
  }
  await requireEmptyFolder(folder);
  const context = contextOf(database, tenantId, log);
  const { askedById, answeredById } = await confirmPurge(context, deletedAt, by);
  await sealFirst(context);
  const notes = await listLastNotes(context);
  const exportSha256 = await exportTenant(context, notes, folder);
  return eraseTenant(database, tenantId, {
    who: `${answeredById}, as ${askedById} had asked`,
    now: () => new Date(),
    kept: { notes, exportSha256 },
  });
}

const exportWay = 'Nothing was erased. Name another folder with --export.';

async function requireEmptyFolder(folder: string): Promise<void> {
  await makeFolders(folder, 0o700).catch((error: unknown) => {
    throw fileFailure(error, folder, exportWay);
  });
  if ((await readdir(folder)).length > 0) {
    throw new CommandFailure(`${folder} is not empty: name a folder for this export alone`);
  }
}

/** Writes log, notes and reports, and a manifest with the hash of each; returns the hash of the manifest. */
async function exportTenant(context: Context, notes: readonly { epoch: number; note: string }[], folder: string): Promise<string> {
  const files: { path: string; bytes: number; sha256: string }[] = [];
  const write = async (path: string, content: AsyncIterable<string | Buffer>): Promise<void> => {
    files.push({ path, ...(await writeWhole(join(folder, path), content)) });
  };
  await write('log/events.jsonl', withLineEnds(readLogLines(context)));
  for (const { epoch, note } of notes) {
    await write(`log/checkpoint-${epoch}`, once(note));
  }
  for await (const { fileName, content } of openAllReports(context)) {
    await write(`reports/${fileName}`, content);
  }
  const manifest = `${JSON.stringify({ v: 1, tenant: context.tenantId, files }, null, 2)}\n`;
  return (await writeWhole(join(folder, 'manifest.json'), once(manifest))).sha256;
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    yield `${line}\n`;
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** A file that is on the disk when this resolves: what it was made from is erased afterwards. */
async function writeWhole(path: string, content: AsyncIterable<string | Buffer>): Promise<{ bytes: number; sha256: string }> {
  try {
    return await writeThrough(path, content);
  } catch (error) {
    throw fileFailure(error, path, exportWay);
  }
}

async function writeThrough(path: string, content: AsyncIterable<string | Buffer>): Promise<{ bytes: number; sha256: string }> {
  await makeFolders(dirname(path), 0o700);
  const file = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of content) {
      const data = Buffer.from(piece);
      hash.update(data);
      bytes += data.length;
      await file.writeFile(data);
    }
    await file.sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}
