/** The public interface of grants: who has what, since when, until when and how. */
import type { JobKind } from '../../jobs/index.ts';
import type { BoundService } from '../../wire/service.ts';
import { deleteServices, endAccessJob, endAccessKind } from './deletion/index.ts';
import { expireJob, expireKind } from './expire.ts';
import { activityService } from './service-activity.ts';
import { bindingService } from './service-bindings.ts';
import { grantService } from './service-grants.ts';
import { feedService, historyService } from './service-history.ts';
import { memberService } from './service-members.ts';
import { searchService } from './service-search.ts';

export { deleteApp } from './deletion/index.ts';

/** Services of the module. */
export const services: readonly BoundService[] = [
  searchService,
  memberService,
  bindingService,
  feedService,
  historyService,
  grantService,
  activityService,
  ...deleteServices,
];

/** The background work of grants, by kind. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [expireKind, expireJob],
  [endAccessKind, endAccessJob],
]);
export { grantSlot } from './slots.ts';
