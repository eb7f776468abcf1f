/**
 * A World whose secrets are marked (marks.ts), and people in it who read their own alone: each with a manager and a delegate whom they could name, and a
 * task that was commented on and handed over.
 */
import type { Loose } from './api.ts';
import { markSecrets } from './marks.ts';
import type { TestPerson, TestServer } from './server.ts';
import type { World } from './world.ts';
import { startWorld } from './world-server.ts';

/** Somebody who reads, and what they may read. */
export interface Reader {
  readonly person: TestPerson;
  /** The marks they may read, as `kind:id`. */
  readonly mayRead: ReadonlySet<string>;
}

type ReaderName = 'basic' | 'reviewer' | 'owner of reviews' | 'owner of apps' | 'owner of an entitlement' | 'subject' | 'delegate';

/** The world, and its readers by name. */
export interface MarkedWorld {
  readonly server: TestServer;
  readonly world: World;
  readonly readers: Readonly<Record<ReaderName, Reader>>;
}

/** Starts a server with such a world; call `stop` in afterAll. */
export async function startMarkedWorld(): Promise<MarkedWorld> {
  const { server, world: made } = await startWorld();
  await markSecrets(server);
  const admin = async (method: string, path: string, body?: unknown): Promise<Loose> =>
    (await made.call(server.admin, method, path, body)).body;
  const { list } = await admin('POST', '/api/v1/search/users', { query: 'p10@world.example' });
  const appOwner = await server.issueClient(list[0].user.id);
  const subject = await server.ownClient(made.userId);
  const delegate = await server.makePerson('delegate@world.example');
  const keeper = await server.makePerson('keeps-one@world.example');
  await admin('POST', `/api/v1/apps/${made.appId}/entitlements/${made.entitlementId}/owners`, { userId: keeper.id });
  // What is asked about is as the snapshot has it, so it is taken behind the marks.
  const openId = await made.openReview();
  const tasks = await made.call(made.assignee, 'POST', '/api/v1/search/tasks', { accessReviewIds: [openId], pageSize: 100 });
  const world: World = { ...made, openId, taskIds: tasks.body.list.map(({ task }: Loose) => task.id) };
  const { basic, assignee, owner } = world;
  // Audits name who did what, and to whom a task went.
  const told = `/api/v1/tasks/${world.taskIds[0]}/action`;
  await admin('POST', `${told}/comment`, { comment: 'Hm.' });
  await admin('POST', `${told}/reassign`, { newStepUserIds: [assignee.id, appOwner.id], comment: 'You know more.' });
  const { db, tenantId } = server.system();
  await db.run('UPDATE users SET manager_id = $2 WHERE tenant_id = $1 AND id = ANY ($3)', [
    tenantId,
    world.userId,
    [basic.id, owner.id, assignee.id],
  ]);
  for (const { id } of [basic, owner, appOwner]) {
    await admin('POST', `/api/v1/users/${id}/set-delegation-by-admin`, { delegatedUserId: world.userId });
  }
  await admin('POST', `/api/v1/users/${assignee.id}/set-delegation-by-admin`, { delegatedUserId: delegate.id });
  const marksOf = async (person: TestPerson, appIds: readonly string[]): Promise<Reader> => {
    const rows = await db.rows<{ mark: string }>(
      `SELECT 'account:' || id AS mark FROM accounts WHERE tenant_id = $1 AND (user_id = $2 OR app_id = ANY ($3))
       UNION ALL SELECT 'resource:' || id FROM resources WHERE tenant_id = $1 AND app_id = ANY ($3)
       UNION ALL SELECT 'entitlement:' || id FROM entitlements WHERE tenant_id = $1 AND app_id = ANY ($3)
       UNION ALL SELECT 'app:' || id FROM apps WHERE tenant_id = $1 AND id = ANY ($3)`,
      [tenantId, person.id, appIds],
    );
    return { person, mayRead: new Set([`person:${person.id}`, ...rows.map(({ mark }) => mark)]) };
  };
  const readers = {
    basic: await marksOf(basic, []),
    reviewer: await marksOf(assignee, []),
    'owner of reviews': await marksOf(owner, []),
    'owner of apps': await marksOf(appOwner, [world.appId]),
    'owner of an entitlement': await marksOf(keeper, []),
    subject: await marksOf(subject, []),
    delegate: await marksOf(delegate, []),
  };
  return { server, world, readers };
}
