/**
 * Order of the files of a suite: what takes long begins first, so that no worker waits for one of them at the end, and the console's come last,
 * since a worker that changes from one project to the other is a new process.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of the usual suite that take over ten seconds. The first makes the world that many others copy; those after it need none. */
export const longest = [
  'src/verify/second-verifier.test.ts',
  'src/governance/snapshots/record/tamper.test.ts',
  'src/governance/reviews/scope/scope-expressions.test.ts',
  'src/governance/reviews/life/schedule.test.ts',
  'src/outward/notifications/subjects.test.ts',
  'src/outward/notifications/notices/notices.test.ts',
  'test/api/signatures.test.ts',
  'test/api/hostile-json.test.ts',
  'test/api/tenancy.test.ts',
  'test/e2e/evidence.test.ts',
  'test/api/roles.test.ts',
  'test/api/exports.test.ts',
  'test/api/review-fields.test.ts',
];

/** Files of the long suite that take over a minute and a half on two cores, beside everything else, the longest first. */
export const longestOfLong = [
  'test/api/roles.test.ts',
  'test/resilience/outage.long.test.ts',
  'test/resilience/timers-kill.long.test.ts',
  'test/resilience/large-reports.long.test.ts',
  'test/api/hostile-json.test.ts',
  'test/browser/pictures.long.test.ts',
  'test/api/tenancy.test.ts',
  'test/api/lists.test.ts',
  'test/browser/queue-large.long.test.ts',
  'test/resilience/mail-kill.long.test.ts',
  'test/resilience/fetch-kill.long.test.ts',
  'test/resilience/kill.long.test.ts',
  'test/resilience/acts-kill.long.test.ts',
  'test/resilience/samples-kill.long.test.ts',
  'src/db/embedded/keep.test.ts',
  'src/outward/notifications/year.long.test.ts',
];

/** Sorts as usual, behind these. */
export function longestFirst(files: readonly string[]): typeof BaseSequencer {
  const rank = ({ moduleId, project }: TestSpecification): number => {
    const at = files.findIndex((path) => moduleId.endsWith(path));
    return project.name === 'console' ? files.length + 1 : at < 0 ? files.length : at;
  };
  return class extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(specifications)).sort((one, other) => rank(one) - rank(other));
    }
  };
}
