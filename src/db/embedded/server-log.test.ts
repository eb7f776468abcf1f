/** PostgreSQL's own words: taken apart, and the part of them that says why. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { explainWords, parseSettings, type StartFacts } from './explain-start.ts';
import { findLogEnd, quoteServer, readLastWords, readLogSince, readProgress } from './server-log.ts';

const at = (text: string): string => `2026-03-01 10:00:00.000 UTC [7] ${text}`;
const failed = [
  at('LOG:  starting PostgreSQL 18.4'),
  at('LOG:  database system was interrupted; last known up at 2026-03-01 09:00:00 UTC'),
  at('PANIC:  could not locate a valid checkpoint record at 0/18FAC08'),
  at('HINT:  One line,\n\tand the next.'),
  at('LOG:  startup process (PID 8) was terminated by signal 6: Aborted'),
  at('LOG:  database system is shut down'),
].join('\n');
const facts: StartFacts = { root: '/data', cluster: '/data/postgres', uid: 1000, settings: new Map([['ssl', 'on']]) };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cst-'));
  await mkdir(join(folder, 'log'));
  await writeFile(join(folder, 'current_logfiles'), 'stderr log/one.log\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const write = (text: string): Promise<void> => writeFile(join(folder, 'log/one.log'), text);

it('the quote leaves out what every start and end says, whatever the prefix of a line is', () => {
  const quote =
    'PANIC: could not locate a valid checkpoint record at 0/18FAC08 HINT: One line, and the next. LOG: startup process (PID 8) was terminated by signal 6: Aborted';
  expect(quoteServer(failed)).toBe(quote);
  expect(quoteServer(failed.replaceAll(/^.*\[7\] /gm, 'db=,user= '))).toBe(quote);
  expect(quoteServer(at('LOG:  database system is shut down'))).toBe('LOG: database system is shut down');
  expect(quoteServer('postgres: one\ntwo')).toBe('postgres: one two');
  expect(quoteServer('')).toBe('');
  expect(quoteServer(at(`FATAL:  ${'x'.repeat(9000)}`)).length).toBeLessThan(1600);
});

it('only what came since the start counts, in a log of the same name or a new one', async () => {
  await write(`${failed}\n`);
  const end = await findLogEnd(folder);
  expect(await readLogSince(folder, end)).toBe('');
  await write(`${failed}\n${at('FATAL:  later')}\n${at('LOG:  database system is shut down')}\n`);
  expect(quoteServer(await readLastWords(folder, end))).toBe('FATAL: later');
  await write(at('FATAL:  begun anew'));
  expect(await readLogSince(folder, end)).toContain('begun anew');
  await write(`${at('FATAL:  of long ago')}\n${at('LOG:  starting PostgreSQL 18.4')}\n${at('FATAL:  of now')}`);
  expect(quoteServer(await readLogSince(folder, undefined))).toBe('FATAL: of now');
  await rm(join(folder, 'current_logfiles'));
  expect([await findLogEnd(folder), await readLogSince(folder, end)]).toEqual([undefined, '']);
});

it('a server that repairs itself says how far it is', async () => {
  await write(failed);
  expect(await readProgress(folder)).toBeUndefined();
  const lines = [
    'LOG:  redo in progress, elapsed time: 10.00 s, current LSN: 0/3A',
    'LOG:  redo in progress, elapsed time: 20.00 s, current LSN: 0/4B',
  ];
  await write([at('LOG:  starting PostgreSQL 18.4'), ...lines.map(at)].join('\n'));
  expect(await readProgress(folder)).toBe('redo in progress, elapsed time: 20.00 s, current LSN: 0/4B');
});

it.each([
  ['FATAL:  could not write lock file "postmaster.pid": No space left on device', /^The disk of \/data is full/],
  [
    'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10\nHINT:  Check free disk space.',
    /^The disk of \/data is full: make space \(df -h; for files, df -i\)/,
  ],
  ['FATAL:  could not resize shared memory segment "/PostgreSQL.1" to 19776 bytes: File too large', /raise the limit \(ulimit -f/],
  ['LOG:  startup process (PID 33) was terminated by signal 9: Killed', /^Something kills PostgreSQL/],
  ['FATAL:  could not create file "x": Disk quota exceeded', /^The quota of the disk/],
  ['FATAL:  could not open file "x": Read-only file system', /read-only/],
  ['FATAL:  could not map anonymous shared memory: Cannot allocate memory', /too little memory/],
  [
    'postgres: error while loading shared libraries: libpq.so.5: cannot open shared object file: No such file',
    /the library libpq\.so\.5\. Install/,
  ],
  ["postgres: /lib/libc.so.6: version `GLIBC_2.27' not found", /too old for the embedded PostgreSQL, which needs GLIBC_2\.27/],
  ['LOG:  could not fork new process: Resource temporarily unavailable', /no more processes/],
  ['FATAL:  could not create semaphores: No space left on device', /no semaphores/],
  ['FATAL:  could not open shared memory segment "/PostgreSQL.1": Permission denied', /^\/dev\/shm cannot be used/],
  ['FATAL:  could not load server certificate file "server.crt": No such file or directory', /the setting ssl = 'on'/],
  ['FATAL:  invalid page in block 3 of relation base/5/1259', /damaged/],
  ['FATAL:  could not open file "pg_wal/000000010000000000000002": No such file or directory', /pg_wal\) is missing/],
  ['initdb: could not look up effective user ID 123456: user does not exist', /uid 123456 has no entry/],
])('%s has a sentence of ours', (said, sentence) => {
  expect(explainWords(said, facts)).toMatch(sentence);
});

it('of what we know no better, PostgreSQL alone speaks', () => {
  expect(explainWords('FATAL:  something of a later release', facts)).toBeUndefined();
});

it('settings of an operator are read as PostgreSQL reads them', () => {
  const text = "# Do not edit this file manually!\nssl = 'on'\nPort=5433\nsearch_path = 'a, ''b'''\n";
  expect([...parseSettings(text)]).toEqual([
    ['ssl', 'on'],
    ['port', '5433'],
    ['search_path', "a, 'b'"],
  ]);
});
