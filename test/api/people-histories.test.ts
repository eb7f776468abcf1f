/**
 * Random histories of people whom an identity provider pushes and a file of people names: joins, leaves, returns, renames, addresses and user names that are
 * swapped and given again. Who somebody really is stands here alone; the server sees what the sources say. It may ask, but never takes one for another.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { connectScim, patch, type ScimClient, urn } from '../support/scim.ts';
import { type TestServer, useTestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

/** Somebody as they really are. */
interface Human {
  readonly no: number;
  readonly employeeId: string;
  /** Null where nobody has it any more. */
  address: string | null;
  userName: string;
  name: string;
  isHere: boolean;
  /** In the provider: the SCIM id, and whether it is active. */
  scimId: string;
  isActive: boolean;
}

type Step =
  | { readonly kind: 'join' | 'joinRecycled' | 'leave' | 'return' | 'rename' | 'readdress'; readonly at: number }
  | { readonly kind: 'swap'; readonly at: number; readonly with: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('join', 'joinRecycled', 'joinRecycled', 'leave', 'leave', 'return', 'rename', 'readdress'),
    at: fc.nat(999),
  }),
  fc.record({ kind: fc.constant('swap' as const), at: fc.nat(999), with: fc.nat(999) }),
) as fc.Arbitrary<Step>;
const round = fc.record({ steps: fc.array(step, { minLength: 4, maxLength: 14 }), isFileFirst: fc.boolean(), deletes: fc.boolean() });

let server: TestServer;
beforeAll(async () => {
  server = await useTestServer();
});
afterAll(() => server.stop());

class History {
  readonly humans: Human[] = [];
  /** Addresses and user names of those who left. */
  readonly free: { address: string; userName: string }[] = [];
  private count = 0;
  readonly scim: ScimClient;
  readonly tenant: Awaited<ReturnType<TestServer['makeTenant']>>;
  readonly saysIds: boolean;

  constructor(tenant: Awaited<ReturnType<TestServer['makeTenant']>>, scim: ScimClient, saysIds: boolean) {
    this.tenant = tenant;
    this.scim = scim;
    this.saysIds = saysIds;
  }

  join(recycled?: { address: string; userName: string }): void {
    const no = ++this.count;
    const address = recycled?.address ?? `a${no}@h.test`;
    const userName = recycled?.userName ?? `u${no}`;
    this.humans.push({ no, employeeId: `E${no}`, address, userName, name: `Human ${no}`, isHere: true, scimId: '', isActive: false });
  }

  take(one: Step): void {
    const here = this.humans.filter((human) => human.isHere);
    const gone = this.humans.filter((human) => !human.isHere);
    const pick = (list: readonly Human[], at: number): Human | undefined => list[at % Math.max(1, list.length)];
    const human = pick(here, one.at);
    switch (one.kind) {
      case 'join':
        this.join();
        break;
      case 'joinRecycled':
        this.join(this.free.splice(one.at % Math.max(1, this.free.length), 1)[0]);
        break;
      case 'leave':
        if (human !== undefined && here.length > 4) {
          human.isHere = false;
          if (human.address !== null) {
            this.free.push({ address: human.address, userName: human.userName });
          }
        }
        break;
      case 'return': {
        const back = pick(gone, one.at);
        if (back !== undefined) {
          back.isHere = true;
          const isTaken = !this.free.some((left) => left.address === back.address);
          if (isTaken) {
            back.address = `b${++this.count}@h.test`;
            back.userName = `r${this.count}`;
          } else {
            this.free.splice(
              this.free.findIndex((left) => left.address === back.address),
              1,
            );
          }
        }
        break;
      }
      case 'rename':
        if (human !== undefined) {
          human.name = `${human.name.split(' née ')[0]} née ${one.at}`;
        }
        break;
      case 'readdress':
        if (human !== undefined) {
          human.address = `n${++this.count}@h.test`;
        }
        break;
      case 'swap': {
        const other = pick(here, one.with);
        if (human !== undefined && other !== undefined && human !== other) {
          [human.address, other.address] = [other.address, human.address];
        }
        break;
      }
    }
  }

  file(): string {
    const rows = this.humans.filter((human) => human.isHere).map((human) => `${human.address},${human.name},${human.employeeId}`);
    return `email,display_name,employee_id\n${rows.join('\n')}\n`;
  }

  async importFile(): Promise<void> {
    const { status, body } = await sendFile(
      this.tenant,
      this.tenant.admin,
      '/api/v1/imports/people?source=hr&allow_removals=true',
      this.file(),
    );
    expect([status, body.message]).toEqual([200, undefined]);
  }

  document(human: Human): object {
    return {
      schemas: [urn.user],
      userName: human.userName,
      externalId: `x-${human.no}`,
      active: true,
      displayName: human.name,
      emails: [{ value: human.address, primary: true }],
      ...(this.saysIds ? { [urn.enterprise]: { employeeNumber: human.employeeId } } : {}),
    };
  }

  /** Pushes what changed: who left first. What is refused (an address that somebody has still) comes with the next round. */
  async push(deletes: boolean): Promise<void> {
    for (const human of this.humans.filter((one) => !one.isHere && one.scimId !== '')) {
      if (deletes || this.free.every((left) => left.userName !== human.userName)) {
        await this.scim.ok('DELETE', `/Users/${human.scimId}`, undefined, 204);
        human.scimId = '';
      } else {
        await this.scim.ok('PATCH', `/Users/${human.scimId}`, patch({ op: 'replace', path: 'active', value: false }));
      }
      human.isActive = false;
    }
    for (const human of this.humans.filter((one) => one.isHere)) {
      const former = this.humans.find((one) => one !== human && one.scimId !== '' && one.userName === human.userName && !one.isHere);
      // Some providers push the joiner over the user that was disabled.
      const id = human.scimId === '' && former !== undefined ? former.scimId : human.scimId;
      const answer = await (id === ''
        ? this.scim.send('POST', '/Users', this.document(human))
        : this.scim.send('PUT', `/Users/${id}`, this.document(human)));
      expect([200, 201, 409]).toContain(answer.status);
      if (answer.status !== 409) {
        if (former !== undefined && id === former.scimId) {
          former.scimId = '';
        }
        human.scimId = answer.body.id;
        human.isActive = true;
      }
    }
  }

  /** Whose each record is, by who it really is. */
  async check(): Promise<void> {
    const records = await server.test.admin(
      `SELECT k.anchor_kind AS kind, k.anchor, k.user_id AS "userId", k.state, k.verdict, k.reason, u.status FROM person_records k
       LEFT JOIN users u ON u.tenant_id = k.tenant_id AND u.id = k.user_id WHERE k.tenant_id = $1`,
      [this.tenant.id],
    );
    const humanOf = (record: Loose): string => (record.kind === 'EXTERNAL_ID' ? record.anchor.slice(2) : record.anchor.slice(1));
    const humansOfUser = new Map<string, Set<string>>();
    for (const record of records as Loose[]) {
      if (record.userId !== null) {
        humansOfUser.set(record.userId, (humansOfUser.get(record.userId) ?? new Set()).add(humanOf(record)));
      }
    }
    expect([...humansOfUser.values()].filter((humans) => humans.size > 1).map((humans) => [...humans])).toEqual([]);
    if (this.saysIds) {
      const usersOfHuman = new Map<string, Set<string>>();
      for (const record of records as Loose[]) {
        if (record.userId !== null) {
          usersOfHuman.set(humanOf(record), (usersOfHuman.get(humanOf(record)) ?? new Set()).add(record.userId));
        }
      }
      expect([...usersOfHuman.entries()].filter(([, users]) => users.size > 1)).toEqual([]);
    }
    // Nobody who left is there, but where somebody has to say first whose a record is.
    const isAsked = records.some((record) => record.verdict === 'DISPUTED' && record.state === 'LIVE');
    const left = new Set(this.humans.filter((human) => !human.isHere).map((human) => String(human.no)));
    const staying = (records as Loose[]).filter((record) => record.status === 'ENABLED' && left.has(humanOf(record)));
    expect(isAsked ? [] : staying.map(humanOf)).toEqual([]);
    // What people did not have before, they do not have now.
    const roles = await server.test.admin('SELECT user_id AS id FROM user_roles WHERE tenant_id = $1 AND user_id <> $2', [
      this.tenant.id,
      this.tenant.admin.id,
    ]);
    for (const { id } of roles as Loose[]) {
      expect([...(humansOfUser.get(id) ?? [])].every((no) => this.holders.has(no))).toBe(true);
    }
  }

  readonly holders = new Set<string>();

  async giveRoles(): Promise<void> {
    const rows = await server.test.admin(
      `SELECT k.anchor, k.user_id AS id FROM person_records k JOIN users u ON u.tenant_id = k.tenant_id AND u.id = k.user_id AND u.status = 'ENABLED'
       WHERE k.tenant_id = $1 AND k.anchor_kind = 'EMPLOYEE_ID' ORDER BY k.anchor LIMIT 3`,
      [this.tenant.id],
    );
    for (const { anchor, id } of rows as Loose[]) {
      const { status } = await request(this.tenant, this.tenant.admin, 'PUT', `/api/v1/users/${id}/roles`, {
        roleIds: ['000000000SuperAdministrator'],
      });
      expect(status).toBe(200);
      this.holders.add(anchor.slice(1));
    }
  }
}

describe('of people over two sources', () => {
  it.each([true, false])('nobody is ever taken for another (employee ids by the provider: %s)', async (saysIds) => {
    let no = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 3, maxLength: 6 }), async (rounds) => {
        const tenant = await server.makeTenant(`history-${saysIds}-${++no}`);
        const history = new History(tenant, await connectScim(tenant, 'Directory'), saysIds);
        for (let at = 0; at < 12; at += 1) {
          history.join();
        }
        await history.importFile();
        await history.push(true);
        await history.giveRoles();
        await history.check();
        for (const { steps, isFileFirst, deletes } of rounds) {
          for (const one of steps) {
            history.take(one);
          }
          // Who says nothing but addresses is behind the file: what two sources say at odds, without an id, is nobody's to tell apart.
          const isFirst = isFileFirst || !saysIds;
          await (isFirst ? history.importFile() : history.push(deletes));
          await (isFirst ? history.push(deletes) : history.importFile());
          await history.check();
        }
        await checkInventory(server.test.admin, tenant.id);
      }),
      { numRuns: 2, seed: saysIds ? 28 : 2800, endOnFailure: true },
    );
  });
});
