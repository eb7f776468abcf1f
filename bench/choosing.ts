/**
 * Figure: preparing a review of every grant whose people an expression chooses and whose policy has three rules, with its funnel and both hashes,
 * beside the bare INSERT ... SELECT of the finished rows as prepare.ts has it.
 */
import { AccessReviewService } from '../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { PolicyService } from '../src/gen/c1/api/policy/v1/policy_service_pb.js';
import { atMost, type Figure, seconds } from './figure.ts';
import { measurePeer } from './prepare.ts';
import type { World } from './data/world.ts';

const approvals = (approval: object) => ({ steps: [{ approval }] });

/** Two rules read the account and the person, one the entitlement and the account; all else goes by the baseline. */
export const policyByRules = {
  displayName: 'By rules',
  policyType: 'POLICY_TYPE_CERTIFY' as const,
  rules: [
    { condition: 'account.appUserType == AppUserType.SERVICE_ACCOUNT', policyKey: 'owners' },
    {
      condition: '(entitlement.displayName.startsWith("admin") || entitlement.displayName == "owner") && account.email != ""',
      policyKey: 'both',
    },
    { condition: 'subject.department == "Finance"', policyKey: 'owners' },
  ],
  policySteps: {
    certify: approvals({ manager: {} }),
    owners: approvals({ appOwners: {} }),
    both: { steps: [{ approval: { manager: {} } }, { approval: { appOwners: {} } }] },
  },
};

/** The grants whose owners the expression chooses: fewer than all where searches were timed before, which take the owners of some accounts away. */
async function countChosen(world: World, appId: string): Promise<number> {
  const superuser = await world.server.superuser();
  try {
    const { rows } = await superuser.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM grants g
       JOIN accounts a ON a.tenant_id = g.tenant_id AND a.app_id = g.app_id AND a.id = g.account_id
       JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id
       WHERE g.app_id = $1 AND g.removed_revision IS NULL AND NOT g.is_derived AND u.email LIKE '%@company.example' AND u.job_title <> ''`,
      [appId],
    );
    return rows[0]?.count ?? 0;
  } finally {
    await superuser.end();
  }
}

/** At most two and a half times the bare insert. */
export const measureChoosing: Figure = async (open) => {
  const world = await open();
  const { admin } = world.server;
  const appId = await world.appId();
  const policyId = (await admin.call(PolicyService.method.create, policyByRules)).policy?.id ?? '';
  const created = await admin.call(AccessReviewService.method.create, { displayName: 'By rules' });
  const id = created.accessReview?.accessReview?.id ?? '';
  const chosen = {
    singleApp: { appId },
    policyId,
    scopeV2: { celExpression: { expression: 'subject.email.endsWith("@company.example") && subject.jobTitle != ""' } },
  };
  await admin.call(AccessReviewService.method.update, { id, accessReview: chosen });
  const begun = performance.now();
  await world.prepareReview(id);
  const ours = (performance.now() - begun) / 1000;
  const chosenGrants = await countChosen(world, appId);
  const peer = await measurePeer(world, id, chosenGrants);
  const title = `prepare of ${chosenGrants.toLocaleString('en')} grants with an expression, three rules and hashes`;
  return [atMost(2.5, { title, ours: seconds(ours), peer: seconds(peer), ratio: ours / peer })];
};
