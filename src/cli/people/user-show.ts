/** `countersign user show`: a person, what they were called before, who else had or has an address of theirs, and what sources report of them. */
import { PersonRecordService } from '../../gen/countersign/v1/person_records_pb.js';
import { PersonWordsService } from '../../gen/countersign/v1/person_words_pb.js';
import { SuspensionService } from '../../gen/countersign/v1/suspensions_pb.js';
import { type Commands, formatFacts } from '../frame/commands.ts';
import { findPerson } from '../frame/find.ts';
import { formatTable } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';

const word = (value = ''): string =>
  value
    .replace(/^(?:FORMER_WORD_KIND|SUSPENSION_KIND|PERSON_RECORD_STATE)_/, '')
    .toLowerCase()
    .replaceAll('_', ' ');

/** Adds `user show`. */
export function addShowCommand(group: Commands): void {
  group.run('show', {
    description: 'show a person: former names and addresses, who else had an address of theirs, records of sources, and what is suspended',
    operands: { '<person>': 'mail address or id' },
    act: async ({ person: named }, { client }) => {
      const user = await findPerson(client, named);
      const userId = user.id;
      const { list: former = [], holders = [] } = await client.call(PersonWordsService.method.listFormer, { userId });
      const records = await listAll(client.pages(PersonRecordService.method.list, { userId }));
      const suspended = await listAll(client.pages(SuspensionService.method.list, { userId }));
      const facts = formatFacts({
        id: userId,
        name: user.displayName,
        email: user.email,
        'employee id': user.employeeIds?.join(', ') || undefined,
        'user name': user.username || undefined,
        status: word(user.status),
        employment: user.employmentStatus || undefined,
      });
      return {
        json: { user, former, holders, records, suspended },
        text: [
          ...facts,
          ...section(
            ['FORMER', '', 'FROM', 'UNTIL'],
            former.map((one) => [word(one.kind), one.word, one.from, one.until]),
          ),
          ...section(
            ['ALSO OF', 'ADDRESS', 'FROM', 'UNTIL'],
            holders.map((one) => [one.displayName || one.userId, one.address, one.from, one.until ?? 'now']),
          ),
          ...section(
            ['SOURCE', 'ANCHOR', 'STATE', 'SINCE', 'GONE'],
            records.map((one) => [one.sourceDisplayName, one.anchor, word(one.state), one.firstSeenAt, one.goneAt]),
          ),
          ...section(
            ['SUSPENDED', 'NAME', 'SINCE'],
            suspended.map((one) => [word(one.kind), one.displayName, one.suspendedAt]),
          ),
        ],
      };
    },
  });
}

/** A table behind an empty line; nothing where it has no rows. */
function section(headings: readonly string[], rows: readonly (readonly (string | undefined)[])[]): string[] {
  return rows.length === 0
    ? []
    : [
        '',
        formatTable(
          headings,
          rows.map((row) => row.map((cell = '') => cell)),
        ),
      ];
}
