/** Sources that have a connector. */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { findSyncSource, requireLockedSourceOf, type SourceRow } from '../sources/index.ts';
import type { SpeakingSource } from './greet-host.ts';

/** Returns the source of a token; PERMISSION_DENIED, on which connectors stop, where it is deleted. */
export async function requireSpeakingSource(context: Context, id: string): Promise<SpeakingSource> {
  const source = await findSyncSource(context, id);
  if (source === undefined || source.kind !== 'BATON') {
    throw new AppError('PERMISSION_DENIED', 'The source of this credential was deleted.');
  }
  return source;
}

/** Returns a source of an app whose connector speaks to us, locked; FAILED_PRECONDITION for one of another kind. */
export async function requireLockedBaton(context: Context, appId: string, id: string): Promise<SourceRow> {
  const source = await requireLockedSourceOf(context, appId, id);
  if (source.kind !== 'BATON') {
    throw new AppError('FAILED_PRECONDITION', 'This source has no connector that speaks to us, so it needs no credential.');
  }
  return source;
}
