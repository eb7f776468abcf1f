/**
 * Random stories between two reviews of one app, and a plain model of what their roll-forward has to say: files that bring and take access,
 * people who leave and come back, times that end, denials. The model knows no database.
 */
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { closeReview } from '../../src/governance/reviews/life/close.ts';
import { prepareReview } from '../../src/governance/reviews/life/prepare.ts';
import { startReview } from '../../src/governance/reviews/life/start.ts';
import { decideTask } from '../../src/governance/tasks/decisions/decide.ts';
import { readLines, readRollForward, requestRollForward, differenceOf } from '../../src/governance/roll-forwards/roll-forward.ts';
import { importGrants } from '../../src/inventory/syncs/import-grants.ts';
import { importPeople } from '../../src/inventory/syncs/import-people.ts';
import type { ReviewTest } from './review.ts';

const accounts = ['ann', 'bob', 'cyn', 'dot'] as const;
const rights = ['read', 'write', 'admin'] as const;

/** Hours that pass between two acts, and for how many a grant with an end is given. */
const step = 3_600_000;
const given = 2 * step;

/** One file: who holds what, which of it ends, and who has left by then. */
export interface StoryStep {
  readonly held: readonly (readonly [account: number, right: number, ends: boolean])[];
  readonly left: readonly number[];
}

/** Events: before the first review, what is denied in it, what happens after, and whether the second asks only about what has no end. */
export interface Story {
  readonly before: StoryStep;
  readonly denied: readonly number[];
  readonly after: readonly StoryStep[];
  readonly isNarrow: boolean;
}

const indexOf = (list: readonly string[]) => fc.nat({ max: list.length - 1 });
const arbitraryStep = fc.record({
  held: fc.uniqueArray(fc.tuple(indexOf(accounts), indexOf(rights), fc.boolean()), {
    maxLength: 8,
    selector: ([account, right]) => `${account} ${right}`,
  }),
  left: fc.uniqueArray(indexOf(accounts), { maxLength: 2 }),
});

/** Any story. */
export const arbitraryStory: fc.Arbitrary<Story> = fc.record({
  before: arbitraryStep,
  denied: fc.uniqueArray(fc.nat({ max: 7 }), { maxLength: 4 }),
  after: fc.array(arbitraryStep, { maxLength: 4 }),
  isNarrow: fc.boolean(),
});

// One that nobody takes away, so that there is always something to ask about and to import.
const anchor = 'zoe';
const keyOf = ([account, right]: readonly [number, number, boolean]): string => `${accounts[account]} ${rights[right]}`;

/** Story of the model: lines as `kind cause account right`, in the order of the files; sorted within one. */
export function tellStory(story: Story): { lines: string[]; first: number; second: number } {
  const inScope = ([, { ends }]: readonly [string, { ends: number | null }]): boolean => !story.isNarrow || ends === null;
  const held = new Map<string, { ends: number | null; since: number }>();
  for (const one of story.before.held) {
    held.set(keyOf(one), { ends: one[2] ? given : null, since: -1 });
  }
  const first = new Set(held.keys());
  const denied = new Set(story.denied.flatMap((index) => [...first].sort()[index] ?? []));
  const moves: { at: number; key: string; line: string }[] = [];
  const left = new Set<string>();
  for (const [at, { held: now, left: gone }] of story.after.entries()) {
    left.clear();
    for (const person of gone) {
      left.add(accounts[person] as string);
    }
    const keys = new Set(now.map(keyOf));
    for (const [key, { ends, since }] of held) {
      if (!keys.has(key)) {
        const person = key.split(' ')[0] as string;
        // The file comes an hour after the people, and the first of them two hours after what was before.
        const isOver = ends !== null && ends <= at * 2 * step + 4 * step;
        const cause = denied.has(key) && since === -1 ? 'DECISION' : isOver ? 'EXPIRY' : left.has(person) ? 'LEAVER' : 'UNEXPLAINED';
        moves.push({ at, key, line: `REMOVED ${cause} ${key}` });
        held.delete(key);
      }
    }
    for (const one of now) {
      const key = keyOf(one);
      const was = held.get(key);
      if (was === undefined) {
        moves.push({ at, key, line: `ADDED ${key}` });
      }
      held.set(key, { ends: one[2] ? given : null, since: was?.since ?? at });
    }
  }
  const second = new Set([...held].filter(inScope).map(([key]) => key));
  const belongs = (key: string): boolean => first.has(key) || second.has(key) || !held.has(key);
  const lines = moves.filter(({ key }) => belongs(key)).map(({ at, line }) => `${at} ${line}`);
  const scope = [...first].filter((key) => held.has(key) && !second.has(key)).map((key) => `LEFT_SCOPE GRANT ${key}`);
  return { lines: [...lines, ...scope].map((line) => line.replace(/^\d+ /, '')).sort(), first: first.size, second: second.size };
}

/** Lives a story in an app of its own; answers what the roll-forward says, in the words of the model. */
export async function liveStory(test: ReviewTest, clock: { now: number }, name: string, story: Story) {
  const admin = () => test.admin();
  const pass = () => {
    clock.now += step;
  };
  const importStep = async ({ held, left }: StoryStep): Promise<string> => {
    pass();
    const person = (at: number) => `${accounts[at]}-${name}@example.com,${accounts[at]},${left.includes(at) ? 'DISABLED' : 'ENABLED'}`;
    const people = ['email,display_name,status', ...accounts.map((_, at) => person(at))].join('\n');
    await importPeople(admin(), { source: name, allowRemovals: true }, { body: Readable.from([people]), encoding: '' });
    pass();
    const row = ([account, right, ends]: readonly [number, number, boolean]) =>
      `${accounts[account]},${accounts[account]}-${name}@example.com,site,Web,${rights[right]},${ends ? new Date(clock.now + given).toISOString() : ''}`;
    const grants = ['account,email,resource_type,resource,entitlement,expires_at', `${anchor},,site,Web,read,`, ...held.map(row)].join(
      '\n',
    );
    const { appId } = await importGrants(admin(), { app: name, allowRemovals: true }, { body: Readable.from([grants]), encoding: '' });
    return appId;
  };
  const appId = await importStep(story.before);
  const makeReview = async (document: object): Promise<string> => {
    const { id } = await test.draft(document as never);
    await prepareReview(admin(), id);
    await test.until(id, 'REVIEW', 'PENDING');
    return id;
  };
  const firstId = await makeReview({ singleApp: { appId } });
  await startReview(admin(), firstId);
  await test.until(firstId, 'OPEN');
  const tasks = await admin().db.rows<{ id: string }>(
    `SELECT t.id FROM tasks t JOIN accounts a ON a.tenant_id = $1 AND a.app_id = t.app_id AND a.id = t.account_id AND a.external_id <> $3
     JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = t.app_id AND e.id = t.entitlement_id
     WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY a.external_id COLLATE "C", e.display_name COLLATE "C"`,
    [test.ours.tenant.id, firstId, anchor],
  );
  for (const index of story.denied) {
    const task = tasks[index];
    if (task !== undefined) {
      await decideTask(admin(), { taskId: task.id, decision: 'DENY', comment: '', policyStepId: '' });
    }
  }
  await closeReview(admin(), firstId, 'CLOSE_DECISION_NO_ACTION');
  await test.until(firstId, 'CLOSED');
  pass();
  for (const one of story.after) {
    await importStep(one);
  }
  const permanent = { scopeV2: { grantsByCriteria: { typeFilter: 'GRANT_FILTER_TYPE_PERMANENT' } } };
  const secondId = await makeReview({ singleApp: { appId }, ...(story.isNarrow ? permanent : {}) });
  return { firstId, secondId, ...(await tellRollForward(test, firstId, secondId)) };
}

/** Makes the roll-forward of two reviews, and answers its lines. */
export async function tellRollForward(test: ReviewTest, firstId: string, secondId: string) {
  await requestRollForward(test.admin(), secondId, firstId);
  for (let attempt = 0; attempt < 6000 && (await readRollForward(test.admin(), secondId)).state === 'PENDING'; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const made = await readRollForward(test.admin(), secondId);
  const rows = await readLines(test.admin(), secondId, { kinds: [], causes: [] }, 0, 1000);
  const lines = rows.map((row) =>
    [row.kind, row.cause || row.leftOutBy, row.accountName, row.entitlementName.split(' ').at(-1)?.toLowerCase()].filter(Boolean).join(' '),
  );
  return { made, difference: differenceOf(made), rows, lines: lines.sort() };
}
