/** Versions of the policies of a batch: what they were when a task of it was put on them, each kept once. */
import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { canonicalJson } from '../../../lib/log/canonical-json.ts';
import type { Plans } from '../../policies/index.ts';
import { findPolicyVersion, insertPolicyVersion, type PolicyVersion } from './store-policy-versions.ts';
import { insertRoutes } from './store-routes.ts';

/** The number of the version with exactly these policies, kept with its routes where it is new. Behind `lockPolicyVersions`. */
export async function findOrInsertVersion(context: Context, reviewId: string, policies: PolicyVersion, plans: Plans): Promise<number> {
  const digest = createHash('sha256')
    .update(canonicalJson({ ...policies.documents }))
    .digest('hex');
  const known = await findPolicyVersion(context, reviewId, policies.rootId, digest);
  if (known !== undefined) {
    return known;
  }
  const version = await insertPolicyVersion(context, reviewId, policies, digest);
  await insertRoutes(context, reviewId, plans.routes, version);
  return version;
}
