/**
 * The record of a file that was refused: a sync that failed, written after everything the file did was undone.
 */
import { isAppError } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import type { SyncSource } from '../../sources/index.ts';
import { RefusedFile } from '../values/index.ts';
import { endOf, type TimedScope } from './record-import.ts';
import { digestSync } from './store-evidence.ts';
import { insertSync, type SyncRow } from './store.ts';

/** Subject of a refused import. */
export interface Refused {
  readonly kind: 'PEOPLE' | 'GRANTS';
  /** People: the source's name; grants: the app's. */
  readonly source: string;
  /** The app and the source, as far as they are there once everything is undone. */
  sourceOf(context: Context): Promise<{ appId: string; source: SyncSource | undefined }>;
}

/** Most of a message that is kept: one about a header quotes the names it found. */
const maxErrorLength = 5000;
/** As long as the name of an app or a source may be; nobody has checked it yet. */
const maxNameLength = 200;

/**
 * Runs an import; where its file is refused, because it cannot be read, for its rows, or for what it would take away, that is recorded, and thrown
 * as the error it is.
 */
export async function recordRefusals<T>(timed: TimedScope, refused: Refused, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RefusedFile)) {
      throw error;
    }
    await inTransaction(timed.context, (context) => recordRefusal({ ...timed, context }, refused, error)).catch((failure: unknown) => {
      // The client hears why the file was refused, whether that could be written down or not.
      timed.context.log[isAppError(failure) ? 'warn' : 'error']({ err: failure }, 'a refused import could not be recorded');
    });
    throw error.refusal;
  }
}

/** As `recordRefusals`, and records nothing: for imports that are rehearsed. */
export function leaveRefusals<T>(_timed: TimedScope, _refused: Refused, work: () => Promise<T>): Promise<T> {
  return work();
}

async function recordRefusal(timed: TimedScope, refused: Refused, { refusal, file, notes }: RefusedFile): Promise<void> {
  const { context } = timed;
  const { kind } = refused;
  const name = refused.source.slice(0, maxNameLength);
  const error = refusal.message.slice(0, maxErrorLength);
  const { appId, source } = await refused.sourceOf(context);
  const id = newId(context.now);
  const sourceId = source?.id ?? '';
  const row: SyncRow = {
    id,
    kind,
    state: 'FAILED',
    source: name,
    sourceId,
    appId,
    previousId: source?.lastSyncId ?? '',
    fileSha256: file.sha256,
    fileFormat: file.format,
    readAs: file.readAs,
    revision: null,
    rows: file.rowCount,
    added: 0,
    changed: 0,
    removed: 0,
    unchanged: 0,
    rejected: notes.count,
    counts: {},
    warningCount: 0,
    warnings: [],
    error,
    rowErrors: notes.first,
    peopleDigest: '',
    howRead: undefined,
    findings: undefined,
    createdById: context.actor.userId,
    startedAt: context.now,
    endedAt: endOf(timed),
    observedFrom: context.now,
    isComplete: true,
    incompleteReason: '',
    fetchId: null,
    createdAt: context.now,
    parts: null,
    elsewhere: null,
    eventId: newId(context.now),
  };
  await insertSync(context, row);
  await recordEvent(context, {
    id: row.eventId,
    evidence: { syncs: digestSync(row) },
    kind: kind === 'PEOPLE' ? 'people.import_refused' : 'grants.import_refused',
    targetId: id,
    data: {
      source: name,
      appId,
      sourceId,
      fileSha256: file.sha256,
      rows: file.rowCount,
      rejected: notes.count,
      error,
    },
  });
}
