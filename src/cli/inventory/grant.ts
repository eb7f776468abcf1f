/** Current and past access in an app: read from the server, and printed as it comes, since an app may have a million grants. */
import { type GrantJson, GrantService } from '../../gen/countersign/v1/grants_pb.js';
import { toVisible, toVisibleJson } from '../../lib/names/visible-text.ts';
import type { Commands } from '../frame/commands.ts';
import { type CsvColumn, printCsv } from '../frame/csv.ts';
import { findAppId, findPersonId } from '../frame/find.ts';
import { writeLines } from '../frame/io.ts';

/** Adds `grant list`. */
export function addGrantCommands(group: Commands): void {
  group.run('list', {
    description: 'list the grants of an app, one a line, cells separated by tabs',
    options: {
      '--app <app>': { text: 'name or id of the app', needed: true },
      '--user <person>': 'only those of the accounts of this person: mail address or id',
      '--ended': 'include those that ended',
      '--past-end': 'only those that a source still reports although their end has passed',
      '--csv': 'as CSV with more columns, for a spreadsheet',
    },
    act: async ({ app, user, ended, pastEnd, csv, json }, { io, client }) => {
      const pages = client.pages(GrantService.method.list, {
        appId: await findAppId(client, app),
        ...(user !== undefined && { userId: await findPersonId(client, user) }),
        ...(ended === true && { includeEnded: true }),
        ...(pastEnd === true && { pastEnd: true }),
      });
      if (csv === true) {
        return printCsv(io, pages, exported);
      }
      const asJson = json === true;
      if (!asJson) {
        writeLines(io.stdout, ['ACCOUNT', 'OWNER', 'ENTITLEMENT', 'HOW', 'APPEARED', 'UNTIL', 'ENDED', 'LAST USED'].join('\t'));
      }
      let count = 0;
      for await (const { grant } of pages) {
        if (grant !== undefined) {
          io.stdout.write(asJson ? `${count === 0 ? '[\n' : ',\n'}${toVisibleJson(grant)}` : `${lineOf(grant)}\n`);
          count++;
        }
      }
      if (asJson) {
        io.stdout.write(count === 0 ? '[]\n' : '\n]\n');
      }
      return undefined;
    },
  });
}

type Listed = { readonly grant?: GrantJson };

const exported: readonly CsvColumn<Listed>[] = [
  ['app', ({ grant }) => grant?.appDisplayName],
  ['account', ({ grant }) => grant?.account?.displayName],
  ['account_type', ({ grant }) => grant?.account?.appUserType],
  ['account_status', ({ grant }) => grant?.account?.status?.status],
  ['owner', ({ grant }) => grant?.owner?.displayName],
  ['owner_email', ({ grant }) => grant?.owner?.email],
  ['owner_department', ({ grant }) => grant?.owner?.department],
  ['owner_job_title', ({ grant }) => grant?.owner?.jobTitle],
  ['entitlement', ({ grant }) => grant?.entitlement?.displayName],
  ['how', ({ grant }) => grant && howOf(grant)],
  ['granted_at', ({ grant }) => grant?.grantedAt],
  ['last_used_at', ({ grant }) => grant?.lastUsedAt],
  ['until', ({ grant }) => grant?.deprovisionAt],
  ['appeared_at', ({ grant }) => grant?.appearedAt],
  ['ended_at', ({ grant }) => grant?.endedAt],
];

function lineOf(grant: GrantJson): string {
  const cells = [
    grant.account?.displayName,
    grant.owner?.email,
    grant.entitlement?.displayName,
    howOf(grant),
    grant.appearedAt,
    grant.deprovisionAt,
    grant.endedAt,
    grant.lastUsedAt,
  ];
  // A name from a source may hold anything; a cell stays one.
  return cells.map((cell) => toVisible(cell ?? '')).join('\t');
}

function howOf(grant: GrantJson): string {
  const count = grant.paths?.length ?? 0;
  const inherited = count === 0 ? [] : [`inherited ${count === 1 ? 'one way' : `${count} ways`}`];
  return [...(grant.isDirect === true ? ['direct'] : []), ...inherited].join(', ');
}
