/** Obstacles to carrying out a review by policies: found when it is previewed or prepared, so that nothing is skipped silently. */
import { certifySteps, unsupportedSteps } from './document.ts';
import type { Plans } from './flatten.ts';

/** The most routes of a review. */
const maxRoutes = 256;

/**
 * Lists why a review cannot be carried out by these plans, each as a sentence without its stop; empty where it can. A removal `mayDecideAlone`: its
 * policy may refuse it and ask nobody.
 */
export function listPlanProblems(plans: Plans, { mayDecideAlone = false } = {}): string[] {
  const found = plans.problems.map(({ policyId, description }) => `policy ${policyId} is not supported: ${description}`);
  if (plans.routes.length > maxRoutes) {
    found.push(`its policies come to ${plans.routes.length} different chains of steps; at most ${maxRoutes} are supported`);
  }
  for (const { policyId, document } of plans.routes) {
    const steps = certifySteps(document);
    for (const what of unsupportedSteps(steps)) {
      found.push(`policy ${policyId} is not supported: ${what}`);
    }
  }
  const reached = new Set(plans.rootIds.flatMap((id) => (plans.turns.get(id) ?? []).map(({ route }) => route)));
  const asks = plans.routes.some(
    ({ document }, number) => reached.has(number) && certifySteps(document).some(({ approval }) => approval !== undefined),
  );
  // Where nothing is in scope no policy is reached, which is said as that.
  if (!mayDecideAlone && plans.rootIds.length > 0 && plans.problems.length === 0 && !asks) {
    found.push('its policies ask no person about anything: every chain of steps decides by itself');
  }
  return found;
}
