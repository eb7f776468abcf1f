/** The statements that a decision about one task sends to the database: few, and none so long that planning it takes more time than running it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import type { TestServer } from '../support/server.ts';
import { type SentStatement, watchStatements } from '../support/statements.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

/** Reading the task, the relations of whoever decides, the change with its event, and what is shown of the task; of a denied one, also its removal. */
const maxStatements = { approve: 4, deny: 5 };
/** Characters of a statement. What few tasks have would make it three times as many, and is read of those alone. */
const maxText = 6000;

describe('the statements of one decision', () => {
  let server: TestServer;
  let world: World;
  const taskIds: string[] = [];

  beforeAll(async () => {
    ({ server, world } = await startWorld());
    const request = { accessReviewIds: [world.openId], taskStates: ['TASK_STATE_OPEN'], pageSize: 10 };
    const { body } = await world.call(server.admin, 'POST', '/api/v1/search/tasks', request);
    taskIds.push(...body.list.map(({ task }: Loose) => task.id));
  });
  afterAll(() => server.stop());

  async function decide(action: 'approve' | 'deny'): Promise<readonly SentStatement[]> {
    const path = `/api/v1/tasks/${taskIds.pop()}/action/${action}`;
    const watch = watchStatements();
    try {
      expect((await world.call(server.admin, 'POST', path, { comment: 'Seen.' })).status).toBe(200);
      // A connection that worked for another tenant is first told whose request this is.
      return watch.requests.flat().filter(({ text }) => !text.includes('set_config'));
    } finally {
      watch.end();
    }
  }

  it.each(['approve', 'deny'] as const)('are few to %s, and short', async (action) => {
    // The first of a process asks once who the caller is.
    await decide(action);
    const statements = await decide(action);
    expect(statements.length).toBeLessThanOrEqual(maxStatements[action]);
    expect(statements.filter(({ text }) => text.length > maxText)).toEqual([]);
  });
});
