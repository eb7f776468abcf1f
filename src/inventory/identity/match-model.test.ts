/** Random people and accounts beside a plain model: whose each account is, whom it could be of, and who is in which of the lists. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { addAccount, addPerson, addSourcedApp, ownersOf } from '../../../test/support/identity.ts';
import { makeTestTenant, useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { inTransaction, type Context } from '../../context.ts';
import { listFirstCandidates } from './list-candidates.ts';
import { matchAccounts } from './match-accounts.ts';
import { releaseOwner } from './set-owner.ts';
import { listLeavers, listUnowned, listWithoutManager } from './store-lists.ts';
import { type MatchRule, matchRules } from './store-match.ts';

interface Person {
  readonly hasEmail: boolean;
  readonly employeeId: string;
  readonly username: string;
  readonly status: 'ENABLED' | 'DISABLED' | 'DELETED';
  readonly type: 'HUMAN' | 'SERVICE';
  readonly employmentStatus: string;
  /** The number of an earlier person; undefined for none. */
  readonly manager: number | undefined;
}

interface Account {
  /** The number of the person whose address it has, in capitals; undefined for none. */
  readonly email: number | undefined;
  readonly employeeId: string;
  readonly username: string;
  readonly isNamed: boolean;
  readonly status: 'ENABLED' | 'DISABLED' | 'DELETED';
  readonly source: 0 | 1 | 2;
  /** Its manual owner. */
  readonly byHand: number | undefined;
}

const employeeId = fc.constantFrom('', 'E1', 'E2', 'e1');
const username = fc.constantFrom('', 'ann', 'Ann', 'bob', 'ÉVE', 'éve');
const status = fc.constantFrom('ENABLED' as const, 'ENABLED' as const, 'DISABLED' as const, 'DELETED' as const);
const person: fc.Arbitrary<Person> = fc.record({
  hasEmail: fc.boolean(),
  employeeId,
  username,
  status,
  type: fc.constantFrom('HUMAN' as const, 'HUMAN' as const, 'HUMAN' as const, 'SERVICE' as const),
  employmentStatus: fc.constantFrom('', 'ACTIVE', 'TERMINATED'),
  manager: fc.option(fc.nat(4), { nil: undefined }),
});
const account: fc.Arbitrary<Account> = fc.record({
  email: fc.option(fc.nat(4), { nil: undefined }),
  employeeId,
  username,
  isNamed: fc.boolean(),
  status,
  source: fc.constantFrom(0 as const, 1 as const, 1 as const, 2 as const),
  byHand: fc.option(fc.nat(4), { nil: undefined, freq: 2 }),
});
const order = fc.shuffledSubarray([...matchRules], { minLength: 1 });
const worlds = fc.record({
  people: fc.array(person, { minLength: 5, maxLength: 5 }),
  accounts: fc.array(account, { minLength: 1, maxLength: 6 }),
  orders: fc.tuple(order, order),
});

describe('matching', () => {
  let test: TwoTenants;
  let count = 0;
  beforeAll(async () => {
    test = await useTwoTenants();
  });
  afterAll(() => test.close());

  it('finds the owners that a plain model finds, and lists what it lists', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ people, accounts, orders }) => {
        const { admin: context, adminId, basicId } = await makeTestTenant(test, `model${++count}.example`);
        const ids: string[] = [];
        const emailOf = (number: number): string => (people[number]?.hasEmail === true ? `p${number}@x.example` : '');
        for (const [number, one] of people.entries()) {
          const managerId = one.manager === undefined || one.manager >= number ? undefined : ids[one.manager];
          const { employeeId: employee, username: name, status: state, type, employmentStatus } = one;
          const row = { email: emailOf(number), employeeId: employee, username: name, status: state, type, employmentStatus };
          ids.push(await addPerson(context, { ...row, ...(managerId === undefined ? {} : { managerId }) }));
        }
        const app = await addSourcedApp(context, 'Wiki');
        for (const [index, connectorId] of app.connectorIds.entries()) {
          await context.db.run('UPDATE sources SET match_order = $3 WHERE tenant_id = $1 AND id = $2', [
            context.tenantId,
            connectorId,
            orders[index],
          ]);
        }
        const nameOf = (one: Account, index: number): string => (one.isNamed ? `bob${index === 0 ? '' : index}` : `x${index}`);
        const accountIds: string[] = [];
        for (const [index, one] of accounts.entries()) {
          accountIds.push(
            await addAccount(context, app.id, {
              email: one.email === undefined ? '' : emailOf(one.email).toUpperCase(),
              employeeId: one.employeeId,
              username: one.username,
              externalId: nameOf(one, index),
              status: one.status,
              sourceNo: one.source,
              ...(one.byHand === undefined ? {} : { userId: ids[one.byHand] as string, isOwnedByHand: true }),
            }),
          );
        }

        /** The people a rule finds, and what they come to. */
        const found = (one: Account, index: number, rule: MatchRule): number[] => {
          const said = {
            EMAIL: one.email === undefined ? '' : emailOf(one.email),
            EMPLOYEE_ID: one.employeeId,
            USERNAME: (one.username === '' ? nameOf(one, index) : one.username).toLowerCase(),
          }[rule];
          const has = (number: number, other: Person): string =>
            ({ EMAIL: emailOf(number), EMPLOYEE_ID: other.employeeId, USERNAME: other.username.toLowerCase() })[rule];
          const live = people.map((other, number) => (other.type === 'HUMAN' && other.status !== 'DELETED' ? has(number, other) : ''));
          const all = said === '' ? [] : live.flatMap((key, number) => (key === said ? [number] : []));
          // What somebody has by now is not that of those who left.
          const there = all.filter((number) => people[number]?.status === 'ENABLED');
          return there.length > 0 ? there : all;
        };
        const match = (one: Account, index: number): number[] => {
          const rules: readonly MatchRule[] = one.source === 0 ? matchRules : (orders[one.source - 1] ?? matchRules);
          return rules.map((rule) => found(one, index, rule)).find((all) => all.length > 0) ?? [];
        };
        const isMatched = (one: Account): boolean => one.source !== 0 && one.status !== 'DELETED';
        const ownerOf = (one: Account, index: number): string | null => {
          if (one.byHand !== undefined) {
            return ids[one.byHand] as string;
          }
          const all = isMatched(one) ? match(one, index) : [];
          return all.length === 1 ? (ids[all[0] as number] as string) : null;
        };

        const { changed } = await inTransaction(context, (inside) => matchAccounts(inside, undefined, 'MANUAL'));
        const owners = await ownersOf(context, app.id);
        expect(accountIds.map((id) => owners[id])).toEqual(accounts.map(ownerOf));
        expect(changed).toBe(accounts.filter((one, index) => one.byHand === undefined && ownerOf(one, index) !== null).length);
        expect((await inTransaction(context, (inside) => matchAccounts(inside, app.id, 'MANUAL'))).changed).toBe(0);

        const those = (holds: (one: Account, index: number) => boolean): string[] =>
          accountIds.filter((_, index) => holds(accounts[index] as Account, index)).sort();
        const listed = async (kind: 'unowned' | 'ambiguous') =>
          (await listUnowned(context, kind, undefined, { appId: '', id: '' }, 20)).map(({ id }) => id).sort();
        expect(await listed('unowned')).toEqual(those((one, index) => ownerOf(one, index) === null && one.status !== 'DELETED'));
        const ambiguous = those((one, index) => one.byHand === undefined && isMatched(one) && match(one, index).length > 1);
        expect(await listed('ambiguous')).toEqual(ambiguous);
        const candidates = await listFirstCandidates(context, ambiguous);
        for (const id of ambiguous) {
          const index = accountIds.indexOf(id);
          expect(candidates.get(id)).toEqual(
            match(accounts[index] as Account, index)
              .map((number) => ids[number])
              .sort(),
          );
        }

        const isLeft = ({ type, status: state, employmentStatus }: Person): boolean =>
          type === 'HUMAN' && (state !== 'ENABLED' || employmentStatus === 'TERMINATED');
        const owned = (number: number): number =>
          accounts.filter((one, index) => one.status === 'ENABLED' && ownerOf(one, index) === ids[number]).length;
        const leavers = people.flatMap((one, number) => (isLeft(one) && owned(number) > 0 ? [[ids[number] as string, owned(number)]] : []));
        const listedLeavers = (await listLeavers(context, undefined, '', 20)).map((row) => [row.userId, row.accountCount]);
        expect(listedLeavers).toEqual(leavers.sort());
        const isAlone = (one: Person, number: number): boolean => {
          const manager = one.manager === undefined || one.manager >= number ? undefined : people[one.manager];
          return one.type === 'HUMAN' && one.status === 'ENABLED' && (manager === undefined || manager.status !== 'ENABLED');
        };
        const alone = [adminId, basicId, ...ids.filter((_, number) => isAlone(people[number] as Person, number))].sort();
        expect(await listWithoutManager(context, '', 20)).toEqual(alone);

        await releaseAll(context, app.id, accounts, accountIds, (one, index) => match(one, index).map((number) => ids[number] as string));
      }),
      { numRuns: runs(6, 25) },
    );
  });

  /** Taken back manually, each account is at once whose it matches, manual ones in the usual order. */
  async function releaseAll(
    context: Context,
    appId: string,
    accounts: readonly Account[],
    accountIds: readonly string[],
    match: (one: Account, index: number) => string[],
  ): Promise<void> {
    for (const [index, one] of accounts.entries()) {
      if (one.status !== 'DELETED') {
        const matches = match(one, index);
        expect(await releaseOwner(context, appId, accountIds[index] as string)).toMatchObject({
          account: { userId: matches.length === 1 ? matches[0] : null },
          matchCount: matches.length,
        });
      }
    }
  }
});
