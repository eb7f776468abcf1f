/** `countersign delegation list|set|end`: who decides in whose place, from when to when, through the API. */
import type { Command } from 'commander';
import type { UserJson } from '../gen/c1/api/user/v1/user_pb.js';
import { UserService } from '../gen/c1/api/user/v1/user_service_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findPerson } from './find.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';

interface SetOptions extends ConnectOptions {
  readonly to: string;
  readonly from?: string;
  readonly until?: string;
}

/** Adds `delegation list`, `delegation set` and `delegation end`. */
export function addDelegationCommands(program: Command, io: CommandIo): void {
  const group = program.command('delegation').description('who decides reviews in whose place');

  withConnection(group.command('list').description('list the people who have a delegate now'))
    .option('--user <person>', 'only this person: mail address or id')
    .action((options: ConnectOptions & { readonly user?: string }) => runList(io, options));

  withConnection(group.command('set').description("set a person's delegate, in place of another one"))
    .argument('<person>', 'mail address or id of the person who is away')
    .requiredOption('--to <delegate>', 'mail address or id of the person who decides instead')
    .option('--from <time>', 'when it begins, such as 2026-01-31T09:00:00Z (default: now)')
    .option('--until <time>', 'when it ends (default: when it is ended)')
    .action((person: string, options: SetOptions) => runSet(io, person, options));

  withConnection(group.command('end').description("end a person's delegation"))
    .argument('<person>', 'mail address or id')
    .action(async (who: string, options: ConnectOptions) => {
      const client = connect(io, options);
      const person = await findPerson(client, who);
      const { item } = await client.call(UserService.method.setExpiringUserDelegationBindingByAdmin, { userId: person.id });
      if (options.json === true) {
        writeJson(io.stdout, item ?? {});
        return;
      }
      writeLines(io.stdout, `Nobody decides in the place of ${person.email} from now on.`);
    });
}

async function runList(io: CommandIo, options: ConnectOptions & { readonly user?: string }): Promise<void> {
  const client = connect(io, options);
  const ids = options.user === undefined ? {} : { ids: [(await findPerson(client, options.user)).id] };
  const request = { delegateStatus: 'DELEGATE_STATUS_HAS_DELEGATE' as const, ...ids };
  const people = (await listAll(client.pages(UserService.method.search, request))).flatMap(({ user }) => user ?? []);
  const delegates = new Map<string, UserJson>();
  const wanted = [...new Set(people.map(({ delegatedUserId = '' }) => delegatedUserId))];
  for (let at = 0; at < wanted.length; at += 100) {
    for await (const { user } of client.pages(UserService.method.search, { ids: wanted.slice(at, at + 100) })) {
      delegates.set(user?.id ?? '', user ?? {});
    }
  }
  showList(io, options, people, ['ID', 'PERSON', 'DELEGATE'], (one) => [
    one.id ?? '',
    one.email ?? '',
    delegates.get(one.delegatedUserId ?? '')?.email ?? one.delegatedUserId ?? '',
  ]);
}

async function runSet(io: CommandIo, who: string, options: SetOptions): Promise<void> {
  const startAt = readMoment(options.from, '--from');
  const endAt = readMoment(options.until, '--until');
  const client = connect(io, options);
  const person = await findPerson(client, who);
  const delegate = await findPerson(client, options.to);
  const { item } = await client.call(UserService.method.setExpiringUserDelegationBindingByAdmin, {
    userId: person.id,
    delegatedUserId: delegate.id,
    ...(startAt === undefined ? {} : { delegationStartAt: startAt }),
    ...(endAt === undefined ? {} : { delegationExpireAt: endAt }),
  });
  if (options.json === true) {
    writeJson(io.stdout, item ?? {});
    return;
  }
  const times = `${startAt === undefined ? '' : ` from ${startAt}`}${endAt === undefined ? '' : ` until ${endAt}`}`;
  writeLines(io.stdout, `${delegate.email} decides in the place of ${person.email}${times}.`);
}

function readMoment(text: string | undefined, option: string): string | undefined {
  if (text === undefined) {
    return undefined;
  }
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) {
    throw new UsageError(`${option} ${JSON.stringify(text)} is not a time such as 2026-01-31T09:00:00Z`);
  }
  return at.toISOString();
}
