/** `countersign user suspended|restore|restore-takes`: what a person had when they left, and giving it back once they are there again. */
import type { ByValue } from '../../client/by-value.ts';
import { SuspensionService } from '../../gen/countersign/v1/suspensions_pb.js';
import type { RestoreTakesJson } from '../../gen/countersign/v1/tenant_settings_pb.js';
import type { Commands } from '../frame/commands.ts';
import { findPerson, findPersonId } from '../frame/find.ts';
import { UsageError } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';
import { addSetting } from '../frame/setting.ts';

const words: ByValue<RestoreTakesJson, string> = { RESTORE_TAKES_ONE: 'one', RESTORE_TAKES_TWO: 'two' };

const word = (value = ''): string => value.replace(/^SUSPENSION_(?:KIND|CAUSE)_/, '').toLowerCase();

/** Adds both to the group of people. */
export function addSuspendedCommands(group: Commands): void {
  group.list('suspended', {
    description: 'list what a person had when they left: it is not in force until somebody restores it',
    operands: { '<person>': 'mail address or id' },
    method: SuspensionService.method.list,
    request: async ({ person }, { client }) => ({ userId: await findPersonId(client, person) }),
    columns: {
      ID: 'objectId',
      WHAT: ({ kind }) => word(kind),
      NAME: 'displayName',
      SINCE: 'suspendedAt',
      WHY: ({ cause }) => word(cause),
    },
  });

  addSetting(group, 'restore-takes', 'restoreTakes', {
    description: 'show how many Super Administrators it takes to restore what somebody had who left, or set it',
    operands: { '[how-many]': 'one or two' },
    words,
    text: ({ restoreTakes }) => words[restoreTakes ?? ''] ?? '',
  });

  group.run('restore', {
    description: 'restore what a person had when they left; they have to be enabled again',
    operands: { '<person>': 'mail address or id' },
    options: {
      '--only <ids>': 'only these of the list, separated by commas',
      '--reason <text>': 'why; needed where another Super Administrator has to confirm it',
    },
    act: async ({ person: named, only, reason }, { client }) => {
      const person = await findPerson(client, named);
      const wanted = only
        ?.split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '');
      const listed = wanted === undefined ? [] : await listAll(client.pages(SuspensionService.method.list, { userId: person.id }));
      const suspensions = listed.filter(({ objectId = '' }) => wanted?.includes(objectId));
      if (wanted !== undefined && suspensions.length < Math.max(1, new Set(wanted).size)) {
        throw new UsageError(`--only names something that is not suspended: list it with user suspended ${named}`);
      }
      const done = await client.call(SuspensionService.method.restore, {
        userId: person.id,
        ...(reason !== undefined && { reason }),
        suspensions: suspensions.map(({ kind, objectId }) => ({ ...(kind && { kind }), ...(objectId && { objectId }) })),
      });
      if (done.request !== undefined) {
        return { json: done, text: `Another Super Administrator has to confirm it: request ${done.request.id ?? ''}.` };
      }
      const { roles = 0, credentials = 0, delegations = 0, left = 0 } = done;
      const rest = left === 0 ? [] : [`${left} delegations stay suspended: somebody in them is not enabled, or they would make a circle.`];
      return {
        json: done,
        text: [
          `Restored of ${person.displayName || person.email}: ${roles} roles, ${credentials} credentials, ${delegations} delegations.`,
          ...rest,
        ],
      };
    },
  });
}
