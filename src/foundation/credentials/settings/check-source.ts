/**
 * Check of a request that comes without one of the tenant's credentials: from where programs may come that carry a token of another kind.
 * Credentials themselves are held to their restriction by credential-state.ts.
 */
import type { Context } from '../../../context.ts';
import { compileSource, type SourceName } from './session-settings.ts';
import { findSettings } from './store-settings.ts';

/** True if the session settings allow the caller's address for this kind of source; every address is allowed where they restrict nothing. */
export async function isSourceAllowed(context: Context, source: SourceName): Promise<boolean> {
  return compileSource(await findSettings(context), source)(context.actor.sourceIp);
}
