/** What `npm test` says at its start: how long it takes, which part of the tables it draws, and what it leaves out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { executablePath } from './browser-path.ts';
import { hasMariaDb } from './mariadb.ts';
import { hasSlapd } from './slapd.ts';
import { turnOfRun } from './turn.ts';
import { readUnsteady, stillUnsteady } from './unsteady.ts';

/** Prints it, once for a run of the whole suite: whoever names files knows what runs. */
export default function announce(): void {
  if (process.argv.slice(2).some((one) => one !== 'run' && !one.startsWith('-'))) {
    return;
  }
  const unsteady = stillUnsteady(readUnsteady(readFileSync(join(import.meta.dirname, '../unsteady.txt'), 'utf8')), new Date());
  const lines = [
    'The usual suite takes about 6 minutes on two quiet cores, on a PostgreSQL that it starts itself.',
    `Of the tables that multiply it draws a part by the commit (COUNTERSIGN_TEST_TURN=${turnOfRun}).`,
    'Left out: what kills, races and counts to large numbers (npm run test:long), and most pages of the console (npm run test:whole has everything).',
    ...(executablePath === undefined
      ? ['Left out: the browser, because no Chromium is installed (CHROMIUM_PATH names one elsewhere).']
      : []),
    ...(hasSlapd ? [] : ['Left out: directories over LDAP, because slapd is not installed.']),
    ...(hasMariaDb ? [] : ['Left out: sources in MariaDB, because mariadbd is not installed.']),
    ...unsteady.map(({ file, test, message }) => `Left out as unsteady: ${file}, ${test} (${message})`),
  ];
  console.log(`\n${lines.join('\n')}\n`);
}
