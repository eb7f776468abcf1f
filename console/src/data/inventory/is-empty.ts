/** Check for an empty tenant: no app, and no person but its administrator. Only who reads the inventory can know it. */
import { isSampleApp, isSamplePerson } from '../../../../src/samples/names.ts';
import { call, queries } from '~/data/query.ts';
import { sessionQuery } from '~/data/session/session.ts';

/** Steps done already, on the way to a first review. */
export interface FirstSteps {
  readonly hasPeople: boolean;
  readonly hasApps: boolean;
  /** Nothing is there that samples would stand among: only samples, or nothing at all. */
  readonly mayLoadSamples: boolean;
}

export const firstStepsQuery = {
  queryKey: ['first-steps'] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<FirstSteps> => {
    const [people, apps] = await Promise.all([
      call('UserService.List', { pageSize: 10 }, { signal }),
      call('AppService.List', { pageSize: 10 }, { signal }),
    ]);
    const { userId } = await queries.ensureQueryData(sessionQuery);
    const others = (people.list ?? []).filter(({ user }) => user?.id !== userId);
    const areSamples = others.every(({ user }) => isSamplePerson(user?.email ?? ''));
    return {
      hasPeople: others.length > 0,
      hasApps: (apps.list ?? []).length > 0,
      mayLoadSamples: areSamples && (apps.list ?? []).every(({ displayName = '' }) => isSampleApp(displayName)),
    };
  },
};

/** Routes the start: to the first steps for whoever may take them in an empty tenant, else home. What cannot be read counts as there. */
export async function findStart(): Promise<'/start' | '/home'> {
  try {
    const session = await queries.ensureQueryData(sessionQuery);
    if (!session.permissions.has('imports.write')) {
      return '/home';
    }
    const steps = await queries.fetchQuery(firstStepsQuery);
    if (!steps.hasPeople && !steps.hasApps) {
      return '/start';
    }
    // Samples without their review: loading them was broken off, and can go on.
    return steps.mayLoadSamples && !(await hasReviews()) ? '/start' : '/home';
  } catch {
    return '/home';
  }
}

async function hasReviews(): Promise<boolean> {
  return ((await call('AccessReviewService.List', { pageSize: 10 })).list ?? []).length > 0;
}
