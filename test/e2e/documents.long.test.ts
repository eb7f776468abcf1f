/**
 * The examples of README.md and docs/quickstart-commands.md, run as they are printed: every shell block of a document in one shell, as somebody does
 * who pastes them one after the other. Only the port differs, and what the demo or the first terminal would have done is done here.
 * docs/quickstart.md is run in a browser (test/browser/quickstart.long.test.ts).
 */
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSampleCompany } from '../../src/cli/local/demo-load.ts';
import { environmentFileIn, writeEnvironment } from '../../src/cli/local/demo-welcome.ts';
import { environmentFor } from '../support/command-line.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const clone = join(import.meta.dirname, '../..');

interface Block {
  /** Opening word: 'sh', or nothing for what a command prints. */
  readonly language: string;
  readonly text: string;
}

interface Run extends Block {
  readonly stdout: string;
  readonly stderr: string;
  /** The commands that ended badly. */
  readonly failed: readonly string[];
}

function readBlocks(path: string): Block[] {
  const text = readFileSync(join(clone, path), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', body = '']) => ({ language, text: body }));
}

const ids = /\b0[0-9A-Za-z]{26}\b/g;
const withoutIds = (text: string): string => text.replaceAll(ids, 'ID');

/** Runs the blocks in one shell, in a folder of their own where `./countersign` is that of the clone. */
async function runBlocks(folder: string, blocks: readonly Block[], server: TestServer, env: Record<string, string>): Promise<Run[]> {
  symlinkSync(join(clone, 'countersign'), join(folder, 'countersign'));
  const marked = blocks.map(({ text }, index) => {
    const here = text.replaceAll('localhost:8080', server.host);
    return `exec >"out-${index}" 2>"err-${index}"; AT=${index}\n${here}`;
  });
  const script = `trap 'printf "%s\\n" "$BASH_COMMAND" >>"failed-$AT"' ERR\n${marked.join('\n')}`;
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const child = spawn('bash', ['-c', script], { cwd: folder, env: { ...process.env, ...env, PATH: path, COUNTERSIGN_URL: server.url } });
  await new Promise((resolve) => child.on('exit', resolve));
  const read = (name: string): string => {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch {
      return '';
    }
  };
  return blocks.map((block, index) => ({
    ...block,
    stdout: read(`out-${index}`),
    stderr: read(`err-${index}`),
    failed: read(`failed-${index}`).split('\n').filter(Boolean),
  }));
}

let server: TestServer;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cs-documents-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('every document', () => {
  it('names the program by its path: npx would ask a registry for the name, with the credential in the environment', () => {
    const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...readdirSync(join(clone, 'docs')).map((name) => `docs/${name}`)];
    const commands = documents.filter((path) => path.endsWith('.md')).flatMap((path) => readBlocks(path).map(({ text }) => [path, text]));
    expect(commands.length).toBeGreaterThan(20);
    const asked = /\bnpx (?:-\S+ )*(?:@countersign\/server|countersign)\b/;
    expect(commands.filter(([, text]) => asked.test(text ?? ''))).toEqual([]);
    // The console and the messages of the service advise the same.
    const sources = ['console/src', 'src'].flatMap((of) => globSync(`${of}/**/*.{ts,tsx,json,html}`, { cwd: clone }));
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.filter((path) => asked.test(readFileSync(join(clone, path), 'utf8')))).toEqual([]);
  });
});

describe('docs/quickstart-commands.md', () => {
  const blocks = readBlocks('docs/quickstart-commands.md');
  const shell = blocks.filter(({ language }) => language === 'sh');
  let runs: Run[];
  beforeAll(async () => {
    server = await startTestServer();
    const here = join(folder, 'quickstart');
    mkdirSync(here);
    writeFileSync(join(here, 'first.json'), JSON.stringify(server.admin.credential));
    // The first block starts the server.
    expect(shell[0]?.text).toBe('npm ci\n./countersign serve --bootstrap-file first.json\n');
    runs = await runBlocks(here, shell.slice(1), server, {});
  }, 240_000);
  afterAll(() => server.stop());

  it('does what it says, and refuses the one file that it says is refused', () => {
    const refused = runs.flatMap(({ failed }) => failed);
    expect(refused).toEqual(['./countersign import grants shop.csv --app Shop']);
    const errors = runs.map(({ stderr }) => stderr).join('');
    expect(errors).toContain('end 1 of the 3 grants');
    for (const { stdout } of runs.filter(({ text }) => text.includes('api localhost'))) {
      expect(stdout).not.toMatch(/"code":(?!"")/);
    }
  });

  it('prints what stands below the commands', () => {
    const expected = blocks.flatMap((block, index) => {
      const before = blocks[index - 1];
      return block.language === '' && before?.language === 'sh' ? [{ lines: block.text, of: runs[shell.indexOf(before) - 1] }] : [];
    });
    expect(expected).toHaveLength(2);
    for (const { lines, of } of expected) {
      const printed = withoutIds(of?.stdout ?? '').split('\n');
      expect(printed).toEqual(expect.arrayContaining(withoutIds(lines).split('\n')));
    }
  });

  it('ends in a report with the three decisions of Mia', () => {
    const rows = readFileSync(join(folder, 'quickstart', 'report.csv'), 'utf8')
      .trim()
      .split('\n');
    expect(rows).toHaveLength(5);
    expect(rows.filter((row) => row.includes('Mia Manager <mia@example.com> (credential issued by'))).toHaveLength(3);
  });
});

describe('README.md', () => {
  let runs: Run[];
  beforeAll(async () => {
    server = await startTestServer();
    const env = environmentFor(server.url, server.admin.credential);
    const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
    const io = { env, stdin: process.stdin, stdout: nowhere, stderr: nowhere, signal: new AbortController().signal };
    await loadSampleCompany(io, server.admin.client, () => undefined);
    const here = join(folder, 'readme');
    mkdirSync(here);
    const shell = readBlocks('README.md').filter(({ language }) => language === 'sh');
    await writeEnvironment(environmentFileIn(join(here, '.countersign/demo')), { url: server.url, credential: server.admin.credential });
    // Those two start a server.
    expect(shell.slice(0, 2).map(({ text }) => text.trim().split(' ').slice(0, 3).join(' '))).toEqual(['npm run demo', 'npm ci &&']);
    runs = await runBlocks(here, shell.slice(2), server, {});
  }, 240_000);
  afterAll(() => server.stop());

  it('does what it says', () => {
    // Whom a start asks, and what a review is closed with, are shown before.
    const startAndClose = expect.stringMatching(
      new RegExp(
        [
          String.raw`^Who may use the ledger\?: (\d+) items, asked of \d+ people: .*`,
          'It has no due date: .*',
          'Nobody is told by mail: .*',
          'Reviewers cannot sign in by themselves: .*',
          String.raw`Who may use the ledger\?: 0 of \1 items decided by a person: 0 certified, 0 denied; \1 open`,
          'none came after the snapshot',
          String.raw`Undecided items are skipped \(outcome: cancelled\)\.\n$`,
        ].join('\n'),
      ),
    );
    expect(runs.map(({ failed, stderr }) => [failed, stderr])).toEqual([
      [[], startAndClose],
      [[], ''],
      [[], ''],
      [[], ''],
    ]);
    expect(runs).toHaveLength(4);
  });

  it('ends both reviews in a report, shows the inventory, and removes the samples', () => {
    const [byCommand, byCurl, inventory, removal] = runs;
    expect(byCommand?.stdout).toMatch(/CLOSED, \d+ items\nledger\.csv .* SHA-256 /);
    const report = byCurl?.stdout.slice(byCurl.stdout.indexOf('Task,Account,')).split('\r\n') ?? [];
    expect(report[1]).toMatch(/,Certified,.*: still needed,/);
    expect(report[2]).toContain('Nobody had decided');
    expect(inventory?.stdout).toContain('priya.sample@example.com');
    expect(inventory?.stdout).toContain('mara.sample@example.com, mateo.sample@example.com');
    expect(removal?.stdout).toBe(
      'Loaded: 60 people, 5 apps, 1 review, 1 conflict monitor.\nRemoved: 60 people, 5 apps, 1 review, 1 conflict monitor. Closed reviews and the system log stay.\n',
    );
  });
});
