/** `countersign identity disputed|answer|records`: records that sources report of people, and whose each one is, through the API. */
import type { ByValue } from '../../client/by-value.ts';
import { type PersonRecordJson, PersonRecordService } from '../../gen/countersign/v1/person_records_pb.js';
import { type Commands, formatFacts } from '../frame/commands.ts';
import { findPersonId } from '../frame/find.ts';
import { UsageError } from '../frame/io.ts';
import { nameApps } from '../frame/list.ts';

const reasons: ByValue<PersonRecordJson['reason'], string> = {
  PERSON_DISPUTE_REASON_SEVERAL_PEOPLE: 'several people have this employee id or externalId',
  PERSON_DISPUTE_REASON_ADDRESS_OF_ANOTHER: "the address is another person's",
  PERSON_DISPUTE_REASON_OTHER_ID: 'the same address, but another id',
  PERSON_DISPUTE_REASON_OTHER_NAME: 'the address of somebody who left, with another name',
};

/** Adds `identity disputed`, `identity answer` and `identity records`. */
export function addRecordCommands(group: Commands): void {
  group.list('disputed', {
    description: 'records of people that wait for somebody to say who they are',
    options: {
      '--source <id>': { text: 'only those of this source', field: 'sourceId' },
      '--ignored': 'those that somebody ignored instead; identity answer answers them anew',
      '--limit <number>': { text: 'at most so many', fallback: '100' },
    },
    method: PersonRecordService.method.listDisputed,
    request: ({ ignored }) => (ignored === true ? { verdict: 'PERSON_RECORD_VERDICT_IGNORED' as const } : {}),
    names: nameApps,
    columns: {
      ID: 'id',
      SOURCE: sourceOf,
      SAYS: saysOf,
      REASON: reasonOf,
      CANDIDATES: (one) => candidatesOf(one).join(', '),
    },
  });

  group.run('answer', {
    description: 'say whose a record is: it is never asked again',
    operands: { '<id>': 'id of the record' },
    options: {
      '--same-person <person>': 'it is a record of this person: mail address or id',
      '--new-person': 'it is a record of somebody new',
      '--ignore': 'it is nobody: no person is made of it, and its accounts have no owner',
    },
    act: async ({ id, samePerson, newPerson = false, ignore = false }, { client }) => {
      if ([samePerson !== undefined, newPerson, ignore].filter(Boolean).length !== 1) {
        throw new UsageError('pass one of --same-person, --new-person and --ignore');
      }
      const { record = {} } = await client.call(
        PersonRecordService.method.answer,
        samePerson === undefined
          ? { id, verdict: newPerson ? 'PERSON_RECORD_VERDICT_NEW_PERSON' : 'PERSON_RECORD_VERDICT_IGNORED' }
          : { id, verdict: 'PERSON_RECORD_VERDICT_SAME_PERSON', userId: await findPersonId(client, samePerson) },
      );
      return { json: record, text: describe(record) };
    },
  });

  group.list('records', {
    description: 'records that sources report of a person, or reported',
    options: {
      '--user <person>': { text: 'mail address or id of the person', field: 'userId', find: findPersonId, needed: true },
      '--limit <number>': { text: 'at most so many', fallback: '100' },
    },
    method: PersonRecordService.method.list,
    names: nameApps,
    columns: {
      ID: 'id',
      SOURCE: sourceOf,
      ANCHOR: anchorOf,
      SAYS: saysOf,
      STATE: { lower: 'state' },
      SINCE: 'firstSeenAt',
      GONE: 'goneAt',
    },
  });
}

function lower(text: string | undefined, prefix: string): string {
  return (text ?? '').replace(prefix, '').toLowerCase();
}

/** The source, behind its app: sources of apps bear the names of their kinds. */
function sourceOf({ appId = '', sourceDisplayName = '' }: PersonRecordJson, nameApp: (id?: string) => string): string {
  return appId === '' ? sourceDisplayName : `${nameApp(appId)}: ${sourceDisplayName}`;
}

function anchorOf({ anchorKind, anchor = '' }: PersonRecordJson): string {
  return `${lower(anchorKind, 'PERSON_ANCHOR_KIND_')} ${anchor}`;
}

function saysOf({ displayName, email, username, employeeId = '' }: PersonRecordJson): string {
  return [displayName, email || username, employeeId].filter(Boolean).join(', ');
}

function reasonOf({ reason }: PersonRecordJson): string {
  return reasons[reason ?? ''] ?? '';
}

function candidatesOf({ candidates = [] }: PersonRecordJson): string[] {
  return candidates.map((one) => {
    const name = [one.displayName, one.email].filter(Boolean).join(' ') || (one.userId ?? '');
    return one.isEnabled === true ? name : `${name} (disabled)`;
  });
}

function describe({ userId = '', ...record }: PersonRecordJson): string[] {
  return formatFacts({
    id: record.id ?? '',
    source: record.sourceDisplayName ?? '',
    anchor: anchorOf(record),
    says: saysOf(record),
    verdict: lower(record.verdict, 'PERSON_RECORD_VERDICT_').replace('_', ' '),
    person: userId === '' ? undefined : `${record.userDisplayName ?? ''} ${userId}`,
  });
}
