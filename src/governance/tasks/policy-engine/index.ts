/** The way of a task through its policy: the route it takes, the people each step asks, waiting, escalating and moving on. */
export { type Entered, enterStep, enterSteps, nextEntry } from './advance.ts';
export { assignTasks, listBarred, resolveRules } from './assign.ts';
export { chooseOfVersion } from './choose-route.ts';
export { moveOn } from './move-on.ts';
export { findOrInsertVersion } from './policy-versions.ts';
export { keepRoutes, listMachineRoutes } from './routes.ts';
export { policyTestService } from './service-policy-test.ts';
export { insertAssignment } from './store-assign.ts';
export { getEligibleSql, listAppReviewers } from './store-eligible.ts';
export { findItemPolicyId, lockPolicyVersions } from './store-policy-versions.ts';
export {
  type RouteRow,
  findRoute,
  getAskedFirstSql,
  getHolds,
  getObjectPickSql,
  getRoutePickSql,
  listRoutes,
} from './store-routes.ts';
export { findNextTaskMoment } from './store-timers.ts';
export { runDue, taskTimersJob } from './timers.ts';
