/**
 * Whether the tenant lets a request through that comes without one of its credentials: from where programs may come that carry a token of
 * another kind. Credentials themselves are held to their restriction by credential-state.ts.
 */
import type { Scope } from '../../scope.ts';
import { compileSource, type SourceName } from './session-settings.ts';
import { findSettings } from './store-settings.ts';

/** Whether the session settings allow the caller's address for this kind of source; every address is allowed where they restrict nothing. */
export async function isSourceAllowed(scope: Scope, source: SourceName): Promise<boolean> {
  return compileSource(await findSettings(scope), source)(scope.actor.sourceIp);
}
