/** What administrators do in a history of people beside answering questions: they restore what was suspended, and merge and split people. */
import { expect } from 'vitest';
import { type Loose, request } from './api.ts';
import type { Human } from './company-model.ts';
import type { ServedTenant, TestPerson, TestServer } from './server.ts';

type Ok = (method: string, path: string, body?: unknown, person?: TestPerson) => Promise<Loose>;

/** The administrators of a history. */
export class HistoryActs {
  private readonly server: TestServer;
  private readonly tenant: ServedTenant;
  private readonly ok: Ok;
  /** Confirms what another one asks for; undefined where one is enough. */
  readonly second: TestPerson | undefined;

  private constructor(server: TestServer, tenant: ServedTenant, ok: Ok, second: TestPerson | undefined) {
    this.server = server;
    this.tenant = tenant;
    this.ok = ok;
    this.second = second;
  }

  static async open(server: TestServer, tenant: ServedTenant, ok: Ok, takesTwo: boolean): Promise<HistoryActs> {
    if (takesTwo) {
      await ok('POST', '/api/v1/settings/tenant', { settings: { restoreTakes: 'RESTORE_TAKES_TWO' }, updateMask: 'restoreTakes' });
    }
    const second = takesTwo ? await tenant.makePerson('second@admins.test', ['SUPER_ADMINISTRATOR']) : undefined;
    return new HistoryActs(server, tenant, ok, second);
  }

  /** Gives people who are back what they had when they left. */
  async restore(humans: readonly Human[], userOf: (human: Human) => Promise<string>): Promise<void> {
    for (const human of humans) {
      const userId = await userOf(human);
      const { list } = await this.ok('GET', `/api/v1/users/${userId}/suspensions`);
      const [user] = await this.server.test.admin('SELECT status FROM users WHERE tenant_id = $1 AND id = $2', [this.tenant.id, userId]);
      if (list.length === 0 || user?.status !== 'ENABLED') {
        continue;
      }
      const path = `/api/v1/users/${userId}/suspensions/action/restore`;
      if (this.second === undefined) {
        expect((await this.ok('POST', path, {})).left).toBe(0);
      } else {
        const { request: asked } = await this.ok('POST', path, { reason: 'They are back.' });
        expect((await this.ok('GET', `/api/v1/users/${userId}/suspensions`)).list).toHaveLength(list.length);
        await this.ok('POST', `/api/v1/second_person_requests/${asked.id}/confirm`, {}, this.second);
      }
      expect((await this.ok('GET', `/api/v1/users/${userId}/suspensions`)).list).toEqual([]);
      const [last, ...others] = human.suspended.splice(0).reverse();
      human.restored.push(...others);
      human.holds = last === undefined ? undefined : { userId, person: last };
    }
  }

  /** The people by whom the sources mean somebody: several, once somebody erred. */
  async usersOf(human: Human): Promise<string[]> {
    const rows = await this.server.test.admin(
      `SELECT DISTINCT user_id AS id FROM person_records WHERE tenant_id = $1 AND user_id IS NOT NULL
         AND (anchor_kind = 'EMPLOYEE_ID' AND anchor = $2 OR anchor_kind = 'EXTERNAL_ID' AND anchor = $3) ORDER BY user_id`,
      [this.tenant.id, human.employeeId, `x-${human.no}`],
    );
    return rows.map((row) => row['id'] as string);
  }

  /** Makes one of the two that somebody is: the one who holds something goes on. */
  async merge(human: Human): Promise<void> {
    const [one = '', ...others] = await this.usersOf(human);
    for (const other of others) {
      const [from, into] = human.holds?.userId === other ? [one, other] : [other, one];
      const path = `/api/v1/users/${from}/action/merge`;
      const preview = await this.ok('POST', path, { intoUserId: into, dryRun: true });
      expect(await this.ok('POST', path, { intoUserId: into, dryRun: false })).toEqual(preview);
    }
    human.isTwo = false;
  }

  /** Takes a record that was given to somebody else by mistake away again: it is somebody new, or the person whose it is. */
  async takeBack(human: Human, wrongId: string, recordId: string): Promise<void> {
    const { body, status } = await request(this.tenant, this.tenant.admin, 'POST', `/api/v1/users/${wrongId}/action/split`, {
      recordIds: [recordId],
      dryRun: false,
    });
    expect([status, status === 200 ? undefined : body]).toEqual([200, undefined]);
    await this.merge(human);
  }
}
