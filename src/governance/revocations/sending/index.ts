/** The public interface of the part sending: removals that the connector of a source carries out. */
export { noteEnded, noteSent } from './follow-task.ts';
export { lookJob, lookKind } from './look.ts';
export { createPlanEffect, planKind, planSendings } from './plan.ts';
export { getIsWithConnectorSql } from './store-reads.ts';
export { removalService } from './service.ts';
