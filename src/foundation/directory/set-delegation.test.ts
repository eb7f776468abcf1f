/** Random delegations beside a plain model: which are refused, who decides in whose place when, and that nobody hands tasks round in a circle. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../../../test/support/identity.ts';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { isAppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { setDelegation } from './set-delegation.ts';
import { findUser } from './store.ts';
import { listUsers } from './store-search.ts';

/** People by number; 4 is disabled, 5 a program, 6 deleted, 7 nobody. */
const who = fc.nat(7);
const hour = 3_600_000;

interface Step {
  readonly user: number;
  /** Undefined: ends it. */
  readonly delegate: number | undefined;
  /** Hours from now; undefined for none. */
  readonly starts: number | undefined;
  readonly expires: number | undefined;
  /** Hours that go by first. */
  readonly passes: number;
}

const hours = fc.option(fc.integer({ min: -3, max: 6 }), { nil: undefined });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ user: who, delegate: fc.option(who, { nil: undefined, freq: 6 }), starts: hours, expires: hours, passes: fc.nat(2) }),
  { minLength: 4, maxLength: 14 },
);

interface Delegation {
  readonly to: number;
  readonly starts: number;
  readonly expires: number;
}

/** Times in hours. */
class Model {
  now = 0;
  readonly of = new Map<number, Delegation>();

  /** Returns why a delegation is refused; '' where it is not. */
  refusal({ user, delegate, starts, expires }: Step): string {
    if (user >= 6) {
      return 'NOT_FOUND';
    }
    if (delegate === undefined) {
      return '';
    }
    if (expires !== undefined && (expires <= 0 || (starts !== undefined && expires <= starts))) {
      return 'INVALID_ARGUMENT';
    }
    if (user === 4 || user === 5) {
      return 'FAILED_PRECONDITION';
    }
    if (delegate === user || delegate >= 5) {
      return 'INVALID_ARGUMENT';
    }
    return delegate === 4 || this.chain(delegate).includes(user) ? 'FAILED_PRECONDITION' : '';
  }

  /** Those to whom somebody's delegations lead that are not over. */
  chain(from: number): number[] {
    const found: number[] = [];
    for (let at = this.of.get(from); at !== undefined && at.expires > this.now && !found.includes(at.to); at = this.of.get(at.to)) {
      found.push(at.to);
    }
    return found;
  }

  active(user: number): number | undefined {
    const found = this.of.get(user);
    return found !== undefined && found.starts <= this.now && found.expires > this.now ? found.to : undefined;
  }
}

describe('delegations', () => {
  let test: TwoTenants;
  let start: number;
  beforeAll(async () => {
    test = await useTwoTenants();
    start = test.ours.admin.now.getTime();
  });
  afterAll(() => test.close());

  async function makePeople(context: Context): Promise<string[]> {
    const people: string[] = [];
    for (const person of [{}, {}, {}, {}, { status: 'DISABLED' }, { type: 'SERVICE' }, { status: 'DELETED' }]) {
      people.push(await addPerson(context, person));
    }
    return [...people, 'nobody'];
  }

  it('are refused, hold and are searched as a plain model says, whatever came before', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const people = await makePeople(test.ours.system);
        const idOf = (number: number): string => people[number] as string;
        const model = new Model();
        for (const step of all) {
          model.now += step.passes;
          const context: Context = { ...test.ours.admin, now: new Date(start + model.now * hour) };
          const at = (after: number | undefined) => (after === undefined ? null : new Date(context.now.getTime() + after * hour));
          const refusal = model.refusal(step);
          const problem = await setDelegation(context, {
            userId: idOf(step.user),
            delegatedUserId: step.delegate === undefined ? '' : idOf(step.delegate),
            startsAt: at(step.starts),
            expiresAt: at(step.expires),
          }).then(
            () => '',
            (error: unknown) => (isAppError(error) ? error.code : String(error)),
          );
          expect([step, problem]).toEqual([step, refusal]);
          if (refusal === '' && step.delegate !== undefined) {
            model.of.set(step.user, {
              to: step.delegate,
              starts: step.starts === undefined ? Number.NEGATIVE_INFINITY : model.now + step.starts,
              expires: step.expires === undefined ? Number.POSITIVE_INFINITY : model.now + step.expires,
            });
          } else if (refusal === '') {
            model.of.delete(step.user);
          }
          const live = [0, 1, 2, 3, 4];
          for (const user of live) {
            const to = model.active(user);
            expect([user, (await findUser(context, idOf(user)))?.delegatedUserId ?? undefined]).toEqual([
              user,
              to === undefined ? undefined : idOf(to),
            ]);
            expect(model.chain(user)).not.toContain(user);
          }
          const found = async (filter: object) =>
            (await listUsers(context, { ids: people.slice(0, 5), ...filter }, { order: 'ID', after: undefined, limit: 10 })).map(
              ({ id }) => id,
            );
          const wanted = (holds: (user: number) => boolean) => live.filter(holds).map(idOf).sort();
          expect(await found({ hasDelegate: true })).toEqual(wanted((user) => model.active(user) !== undefined));
          expect(await found({ lacksDelegate: true })).toEqual(wanted((user) => model.active(user) === undefined));
          expect(await found({ isDelegate: true })).toEqual(wanted((user) => live.some((other) => model.active(other) === user)));
          expect(await found({ delegatedUserIds: [idOf(0), idOf(3)] })).toEqual(
            wanted((user) => [0, 3].includes(model.active(user) ?? -1)),
          );
        }
      }),
      { numRuns: 20 },
    );
  });

  it('set by two at once make no circle', async () => {
    const people = await makePeople(test.ours.system);
    const set = (from: number, to: number) =>
      setDelegation(test.ours.admin, {
        userId: people[from] as string,
        delegatedUserId: people[to] as string,
        startsAt: null,
        expiresAt: null,
      });
    const done = await Promise.allSettled([set(0, 1), set(1, 2), set(2, 0)]);
    expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });
});
