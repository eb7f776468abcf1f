/** `countersign account list|assign|release`: accounts of apps and whose they are, through the API. */
import { AppUserService } from '../../gen/c1/api/app/v1/app_user_service_pb.js';
import { AccountOwnerService } from '../../gen/countersign/v1/identity_pb.js';
import type { Commands } from '../frame/commands.ts';
import { findAccount, findAppId, findPerson, findPersonId, readPeople } from '../frame/find.ts';
import { UsageError } from '../frame/io.ts';
import { nameApps } from '../frame/list.ts';
import { assignFromFile } from './account-file.ts';

const ofApp = { '--app <app>': { text: 'the name or id of the app', needed: true } } as const;

/** Adds `account list`, `account assign` and `account release`. */
export function addAccountCommands(group: Commands): void {
  group.list('list', {
    description: 'list accounts with their owners',
    options: {
      '--app <app>': { text: 'only those of this app: its name or id', field: 'appIds', find: findAppId },
      '--user <person>': { text: 'only those of this person: mail address or id', field: 'userIds', find: findPersonId },
      '--query <text>': 'only those whose name, mail address or id contains this',
    },
    method: AppUserService.method.search,
    item: 'appUser',
    names: async (session, accounts) => ({
      nameApp: await nameApps(session),
      people: await readPeople(
        session.client,
        accounts.map(({ identityUserId = '' }) => identityUserId),
      ),
    }),
    columns: {
      ID: 'id',
      APP: ({ appId }, { nameApp }) => nameApp(appId),
      ACCOUNT: 'username',
      EMAIL: 'email',
      OWNER: ({ identityUserId = '' }, { people }) => {
        const owner = people.get(identityUserId);
        return owner === undefined ? identityUserId : owner.email || owner.displayName;
      },
      'MATCHED BY': ({ ownerByFormerAddress }) => (ownerByFormerAddress === true ? 'former address' : ''),
      TYPE: 'appUserType',
      STATUS: 'status.status',
    },
  });

  group.run('assign', {
    description: 'set the owner of an account, or mark it as unowned; syncs keep that choice',
    options: {
      ...ofApp,
      '--account <account>': 'its name in the app, its mail address or its id',
      '--to <person>': 'mail address or id; "" marks the account as unowned',
      '--file <file>': 'CSV with two columns instead: accounts, and the mail addresses or ids of their owners',
    },
    act: async ({ app, account, to, file }, session) => {
      if (file !== undefined && account === undefined && to === undefined) {
        const assigned = await assignFromFile(session.client, app, file);
        return { json: { assigned }, text: `Owners set: ${assigned}. Syncs keep them.` };
      }
      if (file !== undefined || account === undefined || to === undefined) {
        throw new UsageError('pass either --account and --to, or --file');
      }
      const { client } = session;
      const found = await findAccount(client, { app, account });
      const person = to === '' ? undefined : await findPerson(client, to);
      const { appUser } = await client.call(AccountOwnerService.method.setOwner, { ...found, userId: person?.id ?? '' });
      const owned = person === undefined ? 'unowned' : `owned by ${person.email}`;
      return { json: appUser, text: `${appUser?.username ?? ''} is ${owned} from now on.` };
    },
  });

  group.call('release', {
    description: 'undo assign: the account belongs to the person it matches',
    options: { ...ofApp, '--account <account>': { text: 'its name in the app, its mail address or its id', needed: true } },
    method: AccountOwnerService.method.releaseOwner,
    request: (given, { client }) => findAccount(client, given),
    pick: ({ appUser, matchCount = 0 }) => ({ appUser, matchCount }),
    text: async ({ appUser, matchCount }, _, { client }) => {
      const owner = appUser?.identityUserId ?? '';
      const many = matchCount > 1 ? `unowned: it matches ${matchCount} people` : 'unowned';
      const by = appUser?.ownerByFormerAddress === true ? ', matched by an address that they had before' : '';
      return `${appUser?.username ?? ''} is ${owner === '' ? many : `owned by ${(await findPerson(client, owner)).email}${by}`}.`;
    },
  });
}
