/** `countersign delegation list|set|end`: who decides in whose place, from when to when, through the API. */
import { MyDelegationService, type NoDelegationJson } from '../../gen/countersign/v1/preferences_pb.js';
import { UserService } from '../../gen/c1/api/user/v1/user_service_pb.js';
import type { Commands } from '../frame/commands.ts';
import { findPerson, findPersonId, readPeople } from '../frame/find.ts';
import { UsageError } from '../frame/io.ts';

/** Adds `delegation list`, `delegation set` and `delegation end`. */
export function addDelegationCommands(group: Commands): void {
  group.list('list', {
    description: 'list the people who have a delegate now',
    options: { '--user <person>': { text: 'only this person: mail address or id', field: 'ids', find: findPersonId } },
    method: UserService.method.search,
    request: () => ({ delegateStatus: 'DELEGATE_STATUS_HAS_DELEGATE' as const }),
    item: 'user',
    names: ({ client }, people) =>
      readPeople(
        client,
        people.map(({ delegatedUserId = '' }) => delegatedUserId),
      ),
    columns: {
      ID: 'id',
      PERSON: 'email',
      DELEGATE: ({ delegatedUserId = '' }, delegates) => delegates.get(delegatedUserId)?.email ?? delegatedUserId,
    },
  });

  group.run('set', {
    description: "set a person's delegate, in place of another one",
    operands: { '<person>': 'mail address or id of the person who is away' },
    options: {
      '--to <delegate>': { text: 'mail address or id of the person who decides instead', needed: true },
      '--from <time>': 'when it begins, such as 2026-01-31T09:00:00Z (default: now)',
      '--until <time>': 'when it ends (default: when it is ended)',
    },
    act: async ({ person: away, to, from, until }, session) => {
      const delegationStartAt = readMoment('--from', from);
      const delegationExpireAt = readMoment('--until', until);
      const { client } = session;
      const person = await findPerson(client, away);
      const delegate = await findPerson(client, to);
      const { item = {} } = await client.call(UserService.method.setExpiringUserDelegationBindingByAdmin, {
        userId: person.id,
        delegatedUserId: delegate.id,
        ...(delegationStartAt && { delegationStartAt }),
        ...(delegationExpireAt && { delegationExpireAt }),
      });
      const times = `${delegationStartAt ? ` from ${delegationStartAt}` : ''}${delegationExpireAt ? ` until ${delegationExpireAt}` : ''}`;
      const { noDelegation = {} } = await client.call(MyDelegationService.method.get, {});
      const said = `${delegate.email} decides in the place of ${person.email}${times}.`;
      return { json: item, text: [said, ...sayNoDelegation(person.email ?? away, noDelegation)].join('\n') };
    },
  });

  group.run('end', {
    description: "end a person's delegation",
    operands: { '<person>': 'mail address or id' },
    act: async ({ person: named }, { client }) => {
      const person = await findPerson(client, named);
      const { item = {} } = await client.call(UserService.method.setExpiringUserDelegationBindingByAdmin, { userId: person.id });
      return { json: item, text: `Nobody decides in the place of ${person.email} from now on.` };
    },
  });
}

/** Says under which policies a delegate decides nothing; nothing where there are none. */
function sayNoDelegation(email: string, { policyNames = [], count = 0 }: NoDelegationJson): string[] {
  const more = count > policyNames.length ? ` and ${count - policyNames.length} more` : '';
  return count === 0
    ? []
    : [`Items stay with ${email} where the policy lets no delegate decide (allowDelegation): ${policyNames.join(', ')}${more}.`];
}

function readMoment(flag: string, text: string | undefined): string | undefined {
  const at = new Date(text ?? 0);
  if (Number.isNaN(at.getTime())) {
    throw new UsageError(`${flag} ${JSON.stringify(text)} is not a time such as 2026-01-31T09:00:00Z`);
  }
  return text === undefined ? undefined : at.toISOString();
}
