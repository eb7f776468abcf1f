/** Reviews of people who move, leave or come into a conflict: who counts as that, which review they get, once, and what is not caught up. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailRun, openMailRun } from '../../../../test/support/mail-run.ts';
import { isAppError } from '../../../errors.ts';
import { addBinding } from '../../conflicts/change-entitlements.ts';
import { createMonitor, disableMonitor, enableMonitor } from '../../conflicts/change-monitor.ts';
import { closeReview } from '../../reviews/life/close.ts';
import { createTemplate } from '../create.ts';
import { deleteTemplate } from '../delete.ts';
import { createReviewFromTemplate } from './make-review.ts';
import { findTemplate } from '../record/store.ts';
import { readTriggers, setTriggers } from './triggers.ts';

let run: MailRun;
/** Everybody, by name: title, department, manager, employment status. */
let staff: Record<string, readonly [title: string, department: string, manager: string, status: string]>;
beforeAll(async () => {
  run = await openMailRun('2026-06-01T12:00:00Z');
  staff = {
    max: ['Manager', 'Finance', '', 'ACTIVE'],
    cyn: ['Chief', 'Sales', '', 'ACTIVE'],
    ann: ['Clerk', 'Finance', 'max', 'ACTIVE'],
    bob: ['Clerk', 'Finance', 'max', 'ACTIVE'],
    dan: ['Seller', 'Sales', 'cyn', 'ACTIVE'],
  };
  await sync();
});
afterAll(() => run.close());

const sync = (changes: typeof staff = {}): Promise<void> => {
  staff = { ...staff, ...changes };
  const at = (name: string): string => (name === '' ? '' : `${name}@mail.example`);
  return run.importPeople([
    'email,display_name,job_title,department,manager_email,employment_status',
    ...Object.entries(staff).map(([name, [title, department, manager, status]]) =>
      [at(name), name, title, department, at(manager), status].join(),
    ),
  ]);
};
const make = async (more: object = {}): Promise<string> => {
  const scope = { accountCriteria: { accountTypes: ['APP_USER_TYPE_USER'] } };
  return (await createTemplate(run.as(), { displayName: 'Moves', scope, accessReviewDuration: '864000s', ...more } as never, [])).id;
};
const set = (id: string, kinds: readonly string[], condition = '') => setTriggers(run.as(), id, { kinds, condition });
const reviewsOf = async (id: string): Promise<string[]> =>
  (
    await run.admin(
      `SELECT r.state, r.document ->> 'displayName' AS name, r.triggered,
         (SELECT string_agg(DISTINCT split_part(x.user_email, '@', 1), ' ') FROM tasks t JOIN review_accounts x
            ON x.tenant_id = t.tenant_id AND x.review_id = t.review_id AND x.app_id = t.app_id AND x.account_id = t.account_id WHERE t.review_id = r.id) AS people
       FROM reviews r WHERE r.template_id = $1 ORDER BY r.id`,
      [id],
    )
  ).map(({ state, name, people, triggered }) => `${state} ${name}: ${people}${triggered === true ? '' : ' (not triggered)'}`);
const closeAll = async (id: string): Promise<void> => {
  for (const row of await run.admin("SELECT id FROM reviews WHERE template_id = $1 AND state = 'OPEN'", [id])) {
    await closeReview(run.as(), String(row.id), '');
  }
  await run.settle();
};

describe('a template with triggers', () => {
  it('reviews whoever moves or leaves at once, each once until that review is closed, and nobody else', async () => {
    const id = await make();
    await sync({ ann: ['Clerk', 'Treasury', 'max', 'ACTIVE'] });
    await set(id, ['MOVER', 'LEAVER']);
    await sync({ eve: ['Clerk', 'Finance', 'max', 'ACTIVE'] });
    // What was before is not caught up, and somebody new has not moved.
    expect(await reviewsOf(id)).toEqual([]);
    await sync({ ann: ['Senior Clerk', 'Treasury', 'max', 'ACTIVE'], dan: ['Seller', 'Sales', 'cyn', 'TERMINATED'] });
    const both = ['OPEN Moves, ann, 2026-06-01: ann', 'OPEN Moves, dan, 2026-06-01: dan'];
    expect((await reviewsOf(id)).sort()).toEqual(both);
    await sync({ ann: ['Senior Clerk', 'Treasury', 'cyn', 'ACTIVE'] });
    expect((await reviewsOf(id)).sort()).toEqual(both);
    await closeAll(id);
    await sync({ ann: ['Clerk', 'Treasury', 'cyn', 'ACTIVE'] });
    expect((await reviewsOf(id)).at(-1)).toBe('OPEN Moves, ann, 2026-06-01: ann');
    expect((await findTemplate(run.as(), id))?.reviewsMade).toBe(3);
    const due = await run.admin("SELECT document ->> 'completionDate' AS due FROM reviews WHERE template_id = $1 AND state = 'OPEN'", [id]);
    expect(String(due[0]?.due).slice(0, 10)).toBe('2026-06-11');
    const said = await run.admin("SELECT data FROM events WHERE kind = 'template.triggered' AND target_id = $1 ORDER BY id", [id]);
    expect(said.map(({ data }) => String((data as { kinds: string[] }).kinds)).sort()).toEqual(['LEAVER', 'MOVER', 'MOVER']);
    await set(id, []);
    await sync({ ann: ['Clerk', 'Finance', 'max', 'ACTIVE'] });
    await set(id, ['MOVER']);
    await sync();
    expect(await reviewsOf(id)).toHaveLength(3);
    await closeAll(id);
    await deleteTemplate(run.as(), id);
    expect(await run.admin('SELECT is_on FROM people_watch')).toEqual([{ is_on: false }]);
  });

  it('looks only at whom its condition names, and says where that cannot be told', async () => {
    const id = await make();
    const other = await make({ displayName: 'Other' });
    await set(
      id,
      ['MOVER'],
      'ctx.trigger.oldUser.department != ctx.trigger.newUser.department && ctx.trigger.newUser.department == "Sales"',
    );
    await set(other, ['MOVER'], 'ctx.trigger.newUser.profile.level == "7"');
    await sync({
      ann: ['Clerk', 'Legal', 'max', 'ACTIVE'],
      bob: ['Clerk', 'Sales', 'max', 'ACTIVE'],
      dan: ['Seller', 'Sales', 'max', 'ACTIVE'],
    });
    expect(await reviewsOf(id)).toEqual(['OPEN Moves, bob, 2026-06-01: bob']);
    expect(await reviewsOf(other)).toEqual([]);
    expect(
      await run.admin("SELECT data ->> 'people' AS people FROM events WHERE kind = 'template.trigger_failed' AND target_id = $1", [other]),
    ).toEqual([{ people: '3' }]);
    await set(id, []);
    await set(other, []);
    await closeAll(id);
  });

  it('waits for no other review of its template, and no other waits for it', async () => {
    const id = await make();
    await set(id, ['MOVER']);
    const own = await createReviewFromTemplate(run.as(), id, 'Own');
    await run.admin("UPDATE reviews SET state = 'OPEN', started_at = now() WHERE id = $1", [own.id]);
    await sync({ bob: ['Chief Clerk', 'Sales', 'max', 'ACTIVE'] });
    expect((await reviewsOf(id)).at(-1)).toBe('OPEN Moves, bob, 2026-06-01: bob');
    await set(id, []);
  });

  it('has one review for all where one sync changes more than a hundred', async () => {
    const id = await make();
    const crowd = Array.from({ length: 101 }, (_, number) => `p${number}`);
    await sync(Object.fromEntries(crowd.map((name) => [name, ['Clerk', 'Finance', 'max', 'ACTIVE'] as const])));
    await run.importGrants([
      'account,email,account_type,account_status,resource_type,resource,entitlement',
      ...crowd.map((name) => `${name},${name}@mail.example,USER,ENABLED,role,Wiki,read`),
    ]);
    await set(id, ['MOVER']);
    await sync(Object.fromEntries(crowd.map((name) => [name, ['Clerk', 'Finance', 'cyn', 'ACTIVE'] as const])));
    const [review, ...more] = await reviewsOf(id);
    expect(more).toEqual([]);
    expect(review).toMatch(/^OPEN Moves, 101 people, 2026-06-01: p0 p1 /);
    await set(id, []);
  });

  it('reviews whoever comes into an access conflict, once, as far as its condition says', async () => {
    const monitor = await createMonitor(run.as(), { displayName: 'Pays and reads' });
    for (const [name, side] of [
      ['pay', 'A'],
      ['read', 'B'],
    ] as const) {
      const [row] = await run.admin('SELECT id FROM entitlements WHERE app_id = $1 AND external_id = $2', [run.appId, name]);
      await addBinding(run.as(), { monitorId: monitor.id, appId: run.appId, entitlementId: String(row?.id), side });
    }
    const header = 'account,email,account_type,account_status,resource_type,resource,entitlement';
    const hold = (...lines: string[]): Promise<void> =>
      run.importGrants(
        [
          header,
          ...lines.map((line) => line.split(' ')).map(([who, what]) => `${who},${who}@mail.example,USER,ENABLED,role,Ledger,${what}`),
        ],
        'Ledger',
      );
    const id = await make();
    const narrow = await make({ displayName: 'Narrow' });
    await set(id, ['CONFLICT']);
    await set(narrow, ['CONFLICT'], 'ctx.trigger.newUser.displayName == "dan" && ctx.trigger.oldUser.id == ctx.trigger.newUser.id');
    await hold('ann pay', 'ann read', 'bob pay', 'dan pay');
    await enableMonitor(run.as(), monitor.id);
    await run.moveTo('2026-06-01T13:00:00Z');
    expect((await reviewsOf(id)).map((one) => one.split(',')[1])).toEqual([' ann']);
    // What lasts is no news, nor is a conflict that goes and comes again while the review is open.
    await hold('ann pay', 'bob pay', 'dan pay', 'dan read');
    await hold('ann pay', 'ann read', 'bob pay', 'dan pay', 'dan read');
    await run.moveTo('2026-06-01T14:00:00Z');
    expect((await reviewsOf(id)).map((one) => one.split(',')[1]).sort()).toEqual([' ann', ' dan']);
    expect((await reviewsOf(narrow)).map((one) => one.split(',')[1])).toEqual([' dan']);
    const said = await run.admin("SELECT data -> 'kinds' AS kinds FROM events WHERE kind = 'template.triggered' AND target_id = $1", [id]);
    expect(said).toEqual([{ kinds: ['CONFLICT'] }, { kinds: ['CONFLICT'] }]);
    await disableMonitor(run.as(), monitor.id);
    await set(id, []);
    await set(narrow, []);
  });

  it('drops a review that finds no access in its scope: no draft is left, and nobody gets a mail', async () => {
    const scope = { accountCriteria: { accountTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] } };
    const id = await make({ displayName: 'Services', scope });
    await set(id, ['MOVER']);
    run.news();
    await sync({ bob: ['Boss', 'Sales', 'max', 'ACTIVE'] });
    expect(await reviewsOf(id)).toEqual(['DELETED Services, bob, 2026-06-01: null']);
    const events = await run.admin(
      "SELECT e.kind FROM events e JOIN reviews r ON r.id = e.target_id WHERE r.template_id = $1 AND e.kind IN ('review.dropped', 'review.prepare_failed')",
      [id],
    );
    expect(events).toEqual([{ kind: 'review.dropped' }]);
    expect(run.news()).toEqual([]);
    // The next change counts anew.
    await sync({ bob: ['Clerk', 'Sales', 'max', 'ACTIVE'] });
    expect(await reviewsOf(id)).toHaveLength(2);
    await set(id, []);
  });

  it('takes only triggers that there are, and a condition that compiles', async () => {
    const id = await make();
    const refused = await setTriggers(run.as(), id, { kinds: ['UNSPECIFIED'], condition: 'ctx.trigger.oldUser' }).catch(
      (error: unknown) => error,
    );
    expect(isAppError(refused, 'INVALID_ARGUMENT') ? (refused.violations ?? []).map(({ field }) => field) : refused).toEqual([
      'kinds[0]',
      'condition',
    ]);
    await expect(set(id, [], 'true')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await set(id, ['MOVER', 'LEAVER', 'MOVER'], ' true ');
    expect(await readTriggers(run.as(), id)).toEqual({ kinds: ['LEAVER', 'MOVER'], condition: 'true' });
  });
});
