/**
 * Random monitors over random inventories, beside a few lines of plain TypeScript: who is in conflict, in which state and generation the alerts are, and
 * that looking at what changed finds what looking at everything finds.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, addPerson } from '../../../test/support/identity.ts';
import { insertEntitlement } from '../../../test/support/manual-app.ts';
import { tries } from '../../../test/support/runs.ts';
import { makeTestTenant, useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { inTransaction, type Context } from '../../context.ts';
import { createApp } from '../../inventory/catalog/apps/create-app.ts';
import { endAccounts, endGrants, giveGrants, keepAccounts, takeRevision, updateOwner } from '../../inventory/ledger/index.ts';
import { addBinding, dropBinding } from './change-entitlements.ts';
import { changeMonitor, createMonitor, deleteMonitor, disableMonitor, enableMonitor } from './change-monitor.ts';
import { detectAll, detectChanges } from './detect.ts';
import { exemptAlert, withdrawExemption } from './exempt.ts';
import { type AlertEvent, type AlertState, moveAlert } from './states.ts';
import { getActiveConflictGrantsSql } from './store-alerts.ts';

const accounts = 6;
const people = 3;
const entitlements = 6;
const monitors = 2;

/** A step of a story; accounts, people, entitlements and monitors by number. */
type Step =
  | { readonly kind: 'give' | 'end'; readonly pairs: readonly (readonly [number, number])[] }
  | { readonly kind: 'own'; readonly account: number; readonly person: number | null }
  | { readonly kind: 'leave'; readonly account: number }
  | { readonly kind: 'bind'; readonly monitor: number; readonly entitlement: number; readonly side: 'A' | 'B' }
  | { readonly kind: 'negate' | 'enable' | 'disable' | 'delete'; readonly monitor: number }
  | { readonly kind: 'exempt' | 'withdraw'; readonly alert: number };

const monitor = fc.nat(monitors - 1);
const pairs = fc.uniqueArray(fc.tuple(fc.nat(accounts - 1), fc.nat(entitlements - 1)), {
  minLength: 1,
  maxLength: 6,
  selector: ([account, entitlement]) => `${account}/${entitlement}`,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('give' as const), pairs }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), pairs }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('own' as const),
      account: fc.nat(accounts - 1),
      person: fc.option(fc.nat(people - 1), { nil: null }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), account: fc.nat(accounts - 1) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('bind' as const),
      monitor,
      entitlement: fc.nat(entitlements - 1),
      side: fc.constantFrom('A' as const, 'B' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('enable' as const), monitor }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('negate' as const, 'disable' as const), monitor }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), monitor: fc.constant(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('exempt' as const, 'withdraw' as const), alert: fc.nat(5) }) },
);

/** The plain model: what is held, by whom, and what monitors say. */
class Model {
  readonly held = new Set<string>();
  readonly owners = new Map<number, number | null>();
  readonly gone = new Set<number>();
  readonly monitors = Array.from({ length: monitors }, () => ({
    sides: new Map<number, 'A' | 'B'>(),
    isNegated: false,
    isEnabled: false,
    isDeleted: false,
  }));
  readonly alerts = new Map<string, { state: AlertState; generation: number }>();

  principal(account: number): string {
    const owner = this.owners.get(account) ?? null;
    return owner === null ? `account ${account}` : `person ${owner}`;
  }

  /** Lists a monitor's conflicts, by principal: accounts and entitlements; nothing where there is none. */
  grants(number: number): Map<string, string[]> {
    const { sides, isNegated, isEnabled, isDeleted } = this.monitors[number] as (typeof this.monitors)[number];
    const found = new Map<string, { A: string[]; B: string[] }>();
    for (const pair of this.held) {
      const [account, entitlement] = pair.split('/').map(Number) as [number, number];
      const side = sides.get(entitlement);
      if (side !== undefined) {
        const of = found.get(this.principal(account)) ?? { A: [], B: [] };
        of[side].push(pair);
        found.set(this.principal(account), of);
      }
    }
    const inConflict = [...found].filter(([, { A, B }]) => A.length > 0 && B.length > 0 !== isNegated);
    return new Map(isEnabled && !isDeleted ? inConflict.map(([principal, { A, B }]) => [principal, [...A, ...B]]) : []);
  }

  move(key: string, event: AlertEvent): void {
    const alert = this.alerts.get(key);
    const next = moveAlert(alert?.state, event);
    if (typeof next !== 'string') {
      this.alerts.set(key, { state: next.to, generation: (alert?.generation ?? 0) + (next.isNew ? 1 : 0) });
    }
  }

  /** Moves the alerts like a detection. */
  detect(): void {
    for (let number = 0; number < monitors; number++) {
      const found = this.grants(number);
      for (const key of this.alerts.keys()) {
        const [of, principal = ''] = key.split(': ');
        if (Number(of) === number && !found.has(principal)) {
          this.move(key, 'NO_LONGER_HOLDS');
        }
      }
      for (const principal of found.keys()) {
        this.move(`${number}: ${principal}`, 'HOLDS');
      }
    }
  }

  /** Moves the alerts of a monitor at once, before anything is looked at. */
  stop(number: number, event: AlertEvent): void {
    for (const key of this.alerts.keys()) {
      if (key.startsWith(`${number}: `)) {
        this.move(key, event);
      }
    }
  }
}

describe('conflicts of access', () => {
  let test: TwoTenants;
  let count = 0;
  beforeAll(async () => {
    test = await useTwoTenants();
  });
  afterAll(() => test.close());

  async function build(context: Context) {
    const appIds = [(await createApp(context, { displayName: 'One' }, [])).id, (await createApp(context, { displayName: 'Two' }, [])).id];
    const appOf = (number: number): string => appIds[number % 2] as string;
    const make = async <T>(size: number, one: (number: number) => Promise<T>): Promise<T[]> => {
      const made: T[] = [];
      for (let number = 0; number < size; number++) {
        made.push(await one(number));
      }
      return made;
    };
    const personIds = await make(people, (number) => addPerson(context, { email: `p${number}@x.example` }));
    // Accounts by even numbers are in the first app, with the entitlements by even numbers.
    const accountIds = await make(accounts, (number) => addAccount(context, appOf(number), { sourceNo: 0 }));
    const entitlementIds = await make(entitlements, (number) => insertEntitlement(context, appOf(number), `e${number}`));
    const monitorIds = await make(monitors, async (number) => (await createMonitor(context, { displayName: `Monitor ${number}` })).id);
    return { appOf, personIds, accountIds, entitlementIds, monitorIds };
  }

  it('are found as a plain model finds them', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const context = (await makeTestTenant(test, `conflicts${++count}.example`)).admin;
        const { appOf, personIds, accountIds, entitlementIds, monitorIds } = await build(context);
        const model = new Model();
        const change = (appId: string, work: (inside: Context, revision: number) => Promise<unknown>) =>
          inTransaction(context, async (inside) => work(inside, await takeRevision(inside, appId, 'MANUAL')));

        async function look(): Promise<void> {
          const nameOf = (ids: readonly string[], id: string) => ids.indexOf(id);
          const rows = await context.db.rows<{
            id: string;
            key: string;
            state: AlertState;
            generation: number;
            monitorId: string;
            principal: string;
          }>(`SELECT c.id, c.state, c.generation, c.monitor_id AS "monitorId", c.principal FROM conflict_alerts c WHERE c.tenant_id = $1`, [
            context.tenantId,
          ]);
          const seen = rows.map(({ state, generation, monitorId, principal }) => {
            const account = nameOf(accountIds, principal.split('/')[1] ?? '');
            const who = account < 0 ? `person ${nameOf(personIds, principal)}` : `account ${account}`;
            return `${nameOf(monitorIds, monitorId)}: ${who} ${state} ${generation}`;
          });
          const wanted = [...model.alerts].map(([key, { state, generation }]) => `${key} ${state} ${generation}`);
          expect(seen.sort()).toEqual(wanted.sort());
          const grants = await context.db.rows<{ account_id: string; entitlement_id: string }>(
            getActiveConflictGrantsSql(context.tenantId),
          );
          const active = new Set(
            grants.map((one) => `${nameOf(accountIds, one.account_id)}/${nameOf(entitlementIds, one.entitlement_id)}`),
          );
          const made = Array.from({ length: monitors }, (_, number) =>
            [...model.grants(number)].flatMap(([principal, held]) =>
              model.alerts.get(`${number}: ${principal}`)?.state === 'ACTIVE' ? held : [],
            ),
          );
          expect([...active].sort()).toEqual([...new Set(made.flat())].sort());
        }

        async function go(one: Step): Promise<void> {
          switch (one.kind) {
            case 'give':
            case 'end':
              for (const [account, entitlement] of one.pairs.filter(([a, e]) => a % 2 === e % 2 && !model.gone.has(a))) {
                const pair = { accountId: accountIds[account] as string, entitlementId: entitlementIds[entitlement] as string };
                const work = one.kind === 'give' ? giveGrants : endGrants;
                const appId = appOf(account);
                await change(appId, (inside, revision) => work(inside, { appId, revision, sourceNo: 0 }, [pair]));
                model.held[one.kind === 'give' ? 'add' : 'delete'](`${account}/${entitlement}`);
              }
              break;
            case 'own': {
              const [appId, id] = [appOf(one.account), accountIds[one.account] as string];
              if (!model.gone.has(one.account)) {
                await change(appId, async (inside, revision) => {
                  await keepAccounts(inside, { appId, revision }, [id]);
                  await updateOwner(inside, {
                    appId,
                    id,
                    userId: one.person === null ? null : (personIds[one.person] as string),
                    isByHand: true,
                  });
                });
                model.owners.set(one.account, one.person);
              }
              break;
            }
            case 'leave': {
              const appId = appOf(one.account);
              await change(appId, (inside, revision) =>
                endAccounts(inside, { appId, revision, sourceNo: 0 }, [accountIds[one.account] as string]),
              );
              model.gone.add(one.account);
              for (const pair of [...model.held].filter((held) => held.startsWith(`${one.account}/`))) {
                model.held.delete(pair);
              }
              break;
            }
            default:
              await goMonitor(one);
          }
        }

        async function goMonitor(one: Step): Promise<void> {
          if (one.kind === 'exempt' || one.kind === 'withdraw') {
            const alerts = await context.db.rows<{ id: string; monitorId: string; principal: string }>(
              `SELECT c.id, c.monitor_id AS "monitorId", c.principal FROM conflict_alerts c WHERE c.tenant_id = $1 ORDER BY c.id`,
              [context.tenantId],
            );
            const alert = alerts[one.alert % Math.max(alerts.length, 1)];
            if (alert !== undefined) {
              const account = accountIds.indexOf(alert.principal.split('/')[1] ?? '');
              const who = account < 0 ? `person ${personIds.indexOf(alert.principal)}` : `account ${account}`;
              const key = `${monitorIds.indexOf(alert.monitorId)}: ${who}`;
              const event = one.kind === 'exempt' ? 'EXEMPTED' : 'WITHDRAWN';
              const isRefused = moveAlert(model.alerts.get(key)?.state, event) === 'refused';
              const work = one.kind === 'exempt' ? exemptAlert(context, alert.id, 'Known', null) : withdrawExemption(context, alert.id);
              expect(
                await work.then(
                  () => false,
                  () => true,
                ),
              ).toBe(isRefused);
              model.move(key, event);
            }
            return;
          }
          if (!('monitor' in one)) {
            return;
          }
          const id = monitorIds[one.monitor] as string;
          const of = model.monitors[one.monitor] as (typeof model.monitors)[number];
          if (of.isDeleted) {
            return;
          }
          switch (one.kind) {
            case 'bind': {
              const key = { monitorId: id, appId: appOf(one.entitlement), entitlementId: entitlementIds[one.entitlement] as string };
              const present = of.sides.get(one.entitlement);
              if (present === undefined) {
                await addBinding(context, { ...key, side: one.side });
                of.sides.set(one.entitlement, one.side);
              } else {
                await dropBinding(context, { ...key, side: present });
                of.sides.delete(one.entitlement);
              }
              model.stop(one.monitor, 'MONITOR_CHANGED');
              break;
            }
            case 'negate':
              of.isNegated = !of.isNegated;
              await changeMonitor(context, id, { negateGroupB: of.isNegated });
              model.stop(one.monitor, 'MONITOR_CHANGED');
              break;
            case 'enable': {
              const sides = [...of.sides.values()];
              const isPossible = of.isEnabled || (sides.includes('A') && (sides.includes('B') || of.isNegated));
              expect(
                await enableMonitor(context, id).then(
                  () => true,
                  () => false,
                ),
              ).toBe(isPossible);
              of.isEnabled = isPossible;
              break;
            }
            case 'disable':
              await disableMonitor(context, id);
              of.isEnabled = false;
              model.stop(one.monitor, 'MONITOR_DISABLED');
              break;
            case 'delete':
              await deleteMonitor(context, id);
              of.isDeleted = true;
              model.stop(one.monitor, 'MONITOR_DELETED');
              break;
          }
          await detectAll(context, id);
        }

        for (const one of steps) {
          await go(one);
          await detectChanges(context);
          model.detect();
          await look();
        }
        // What was found bit by bit is all there is.
        expect(await detectAll(context)).toEqual({ active: 0, resolved: 0 });
      }),
      { numRuns: tries(8, 150) },
    );
  });
});
