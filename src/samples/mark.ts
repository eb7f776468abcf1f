/** Marks what was loaded as samples on the server, so that all of it, and nothing else, can be removed again. */
import { sampleAppNames, sampleManualApp } from './access.ts';
import { sampleMonitorName } from './conflict.ts';
import { isSamplePerson } from './names.ts';
import { listAll, listAppIds, type SampleServer } from './server.ts';

/** True if anything is marked. */
export async function areMarked(server: SampleServer): Promise<boolean> {
  return ((await server.call('SampleService.Get', {})).sampleCompany?.people ?? 0) > 0;
}

/** Marks the people, the apps, the monitor and the review. What is closed or gone meanwhile is left out. */
export async function markSamples(server: SampleServer, reviewId: string): Promise<void> {
  const users = await listAll(server, 'UserService.List', {});
  const apps = await listAppIds(server);
  const names = new Set([sampleManualApp.name, ...sampleAppNames]);
  const monitors = await listAll(server, 'ConflictMonitorService.List', { query: sampleMonitorName });
  const { accessReview } = await server.call('AccessReviewService.Get', { id: reviewId });
  await server.call('SampleService.Mark', {
    userIds: users.flatMap(({ user }) => (isSamplePerson(user?.email ?? '') ? [user?.id ?? ''] : [])),
    appIds: [...names].flatMap((name) => apps.get(name) ?? []),
    conflictMonitorIds: monitors.flatMap(({ displayName, id }) => (displayName === sampleMonitorName ? [id ?? ''] : [])),
    accessReviewIds: accessReview?.accessReview?.state === 'ACCESS_REVIEW_STATE_CLOSED' ? [] : [reviewId],
  });
}
