/**
 * Sample requests of the operations about accounts, whose they are, and directories.
 */
import type { World } from '../world.ts';
import { addAccount, addPerson, type AccountContent } from '../identity.ts';
import type { MakeSample } from './sample.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** An account that nothing else uses. */
async function accountOf(world: World, account: AccountContent = {}): Promise<{ app_id: string; app_user_id: string }> {
  return { app_id: world.otherAppId, app_user_id: await addAccount(world.tenant.system(), world.otherAppId, { sourceNo: 0, ...account }) };
}

/** More accounts than the smallest page has. */
const withAccounts =
  (account: (world: World) => AccountContent | Promise<AccountContent>): MakeSample =>
  async (world) => {
    for (const _ of upTo(11)) {
      await accountOf(world, await account(world));
    }
    return {};
  };

async function makeApp(world: World): Promise<string> {
  const { body } = await world.call(world.tenant.admin, 'POST', '/api/v1/apps', { displayName: `Directory ${Math.random()}` });
  return body.app.id;
}

async function makeDirectory(world: World): Promise<string> {
  const appId = await makeApp(world);
  await world.call(world.tenant.admin, 'POST', '/api/v1/directories', { appId });
  return appId;
}

/** A source of the world's app. */
async function connectorOf(world: World): Promise<string> {
  const { db } = world.tenant.system();
  const row = await db.maybe<{ id: string }>('SELECT id FROM sources WHERE tenant_id = $1 AND app_id = $2 ORDER BY source_no LIMIT 1', [
    world.tenant.id,
    world.appId,
  ]);
  if (row === undefined) {
    throw new Error('the import of the world has made no source');
  }
  return row.id;
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'AppUserService.update': async (world) => {
    const { app_id, app_user_id } = await accountOf(world);
    return {
      path: { app_user_app_id: app_id, app_user_id },
      fields: { appUser: { appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT' } },
    };
  },
  'AppUserService.listAppUserCredentials': (world) => ({ path: { app_id: world.appId, app_user_id: world.accountId } }),
  'AppUserService.listOwnedServiceAccounts': async (world, person) =>
    withAccounts(() => ({ userId: person.id, type: 'SERVICE_ACCOUNT' }))(world, person),
  'AccountOwnerService.setOwner': async (world) => ({ path: await accountOf(world), fields: { userId: world.userId } }),
  'AccountOwnerService.releaseOwner': async (world) => ({ path: await accountOf(world, { userId: world.userId, isOwnedByHand: true }) }),
  'MatchOrderService.getOrder': async (world) => ({ path: { connector_id: await connectorOf(world) } }),
  'MatchOrderService.setOrder': async (world) => ({
    path: { connector_id: await connectorOf(world) },
    fields: { order: ['MATCH_RULE_EMAIL', 'MATCH_RULE_USERNAME'] },
  }),
  'IdentityService.listLeaversWithAccounts': withAccounts(async (world) => ({
    userId: await addPerson(world.tenant.system(), { status: 'DISABLED' }),
  })),
  'IdentityService.listUnownedAccounts': withAccounts(() => ({})),
  'IdentityService.listAmbiguousAccounts': withAccounts(() => ({ matchCount: 2 })),
  'IdentityService.listLookAlikes': async (world) => {
    // Asked for again and again, each time of accounts that are not there yet.
    const time = Math.random();
    for (const number of upTo(11)) {
      for (const externalId of [`Looks ${number} alike ${time}`, `looks ${number} ALIKE ${time}`]) {
        await accountOf(world, { externalId });
      }
    }
    return { fields: { appId: world.otherAppId } };
  },
  'IdentityService.listUndescribedEntitlements': (world) => ({ fields: { appId: world.appId } }),
  'IdentityService.listPeopleWithoutManager': async (world) => {
    for (const _ of upTo(11)) {
      await addPerson(world.tenant.system(), {});
    }
    return {};
  },
  'DirectoryService.create': async (world) => ({ fields: { appId: await makeApp(world) } }),
  'DirectoryService.get': async (world) => ({ path: { app_id: await makeDirectory(world) } }),
  'DirectoryService.list': async (world) => {
    for (const _ of upTo(11)) {
      await makeDirectory(world);
    }
    return {};
  },
  'DirectoryService.update': async (world) => ({ path: { app_id: await makeDirectory(world) }, fields: { all: {} } }),
  'DirectoryService.delete': async (world) => ({ path: { app_id: await makeDirectory(world) } }),
};
