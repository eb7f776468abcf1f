/**
 * docs/quickstart.md word for word, as a newcomer follows it: its shell blocks run in a folder where `./countersign` is that of the clone, the server
 * among them, and each sentence of its steps is done, or looked for, in a browser. Only the port differs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, useBrowser } from '../support/browser.ts';
import { type CoursePlayer, openCourse } from '../support/course/play-course.ts';
import { type CoursePart, readCourse } from '../support/course/read-course.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const clone = join(import.meta.dirname, '../..');
const course = readCourse(readFileSync(join(clone, 'docs/quickstart.md'), 'utf8'));
const sections = [...new Set(course.map(({ section }) => section))];

/** What ran before: the packages of this clone are there. */
const installing = 'npm ci\n';
const serving = './countersign serve\n';

type Shell = Extract<CoursePart, { kind: 'shell' }>;

describe.skipIf(!hasBrowser)('docs/quickstart.md', () => {
  let folder: string;
  let port: number;
  let player: CoursePlayer;
  let server: ChildProcess | undefined;
  let printed = '';
  const tookMs = new Map<string, number>();

  const shell = (text: string): ChildProcess => {
    const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
    const env = {
      ...process.env,
      PATH: path,
      HOME: join(folder, 'home'),
      NODE_OPTIONS: '',
      COUNTERSIGN_PORT: String(port),
      COUNTERSIGN_DATA_DIR: join(folder, 'data'),
    };
    return spawn('bash', ['-c', text], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  /** Lines that the page shows, of which `…` stands for anything and the port is another. */
  const prints = (lines: readonly string[], output: string): boolean =>
    lines.every((line) => {
      const [begin = '', end] = line.replace('localhost:8080', `localhost:${port}`).split('…');
      return output.split('\n').some((one) => (end === undefined ? one === begin : one.startsWith(begin) && one.endsWith(end)));
    });

  const serve = async ({ text, prints: lines }: Shell): Promise<void> => {
    server = shell(`exec ${text}`);
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (chunk) => {
        printed += String(chunk);
      });
    }
    const ended = once(server, 'exit').then(([code]) => expect([code, printed]).toEqual(['running', printed]));
    await Promise.race([ended, until(() => expect(prints(lines, printed), printed).toBe(true))]);
  };
  const run = async ({ text, prints: lines, code }: Shell): Promise<void> => {
    const child = shell(text);
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += String(chunk);
    });
    child.stderr?.on('data', (chunk) => {
      output += String(chunk);
    });
    const [ended] = await once(child, 'close');
    expect([text, ended, output]).toEqual([text, code, output]);
    expect(prints(lines, output), output).toBe(true);
  };
  const play = async (part: CoursePart): Promise<void> => {
    if (part.kind === 'sentence') {
      try {
        await player.act(part.act);
      } catch (error) {
        throw new Error(`${part.section}: ${part.text}\n${error}\nThe page shows: ${await player.shown()}`, { cause: error });
      }
    } else if (part.text === serving) {
      await serve(part);
    } else if (part.text !== installing) {
      await run(part);
    }
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cs-course-'));
    mkdirSync(join(folder, 'home/Downloads'), { recursive: true });
    // PostgreSQL runs as another account than root and enters it, and a folder that is named must be there.
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'data'));
    symlinkSync(join(clone, 'countersign'), join(folder, 'countersign'));
    port = await freePort();
    player = await openCourse({
      browser: await useBrowser(),
      folder,
      downloads: join(folder, 'home/Downloads'),
      printedLink: () => /sign in +(http\S+)/.exec(printed)?.[1] ?? '',
    });
  });
  afterAll(async () => {
    await player?.close();
    if (server !== undefined && server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    console.log([...tookMs].map(([section, ms]) => `${section}: ${(ms / 1000).toFixed(1)} s`).join('\n'));
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(sections)('%s', async (section) => {
    // Who could not follow one part is nowhere in the next.
    expect([...tookMs.keys()]).toEqual(sections.slice(0, sections.indexOf(section)));
    const begun = performance.now();
    for (const part of course.filter((one) => one.section === section)) {
      await play(part);
    }
    tookMs.set(section, performance.now() - begun);
  });

  it('leaves a report in which everybody decided what the page says', () => {
    const saved = readdirSync(join(folder, 'home/Downloads')).find((name) => name.endsWith('.csv')) ?? '';
    const rows = readFileSync(join(folder, 'home/Downloads', saved), 'utf8')
      .trim()
      .split('\n');
    expect(rows).toHaveLength(5);
    expect(rows.filter((row) => /Release.*Mia Manager.*,Denied,/.test(row))).toHaveLength(1);
    expect(rows.filter((row) => /,Certified,/.test(row))).toHaveLength(3);
  });
});

describe.skipIf(!hasBrowser)('a page that is no longer what a course says', () => {
  const refuse = async (html: string, step: string): Promise<string> => {
    const link = `data:text/html,${encodeURIComponent(html)}`;
    const player = await openCourse({ browser: await useBrowser(), folder: '', downloads: '', printedLink: () => link, patienceMs: 300 });
    try {
      const acts = readCourse(`1. Open the link that the server printed. ${step}`).flatMap((part) =>
        part.kind === 'sentence' ? [part.act] : [],
      );
      for (const act of acts) {
        await player.act(act);
      }
      return 'followed';
    } catch (error) {
      return String(error);
    } finally {
      await player.close();
    }
  };

  it('fails where a label, a place or a word is another', async () => {
    const html =
      '<nav aria-label="Main"><a href="data:,1">Reviews 3</a></nav><button>Import</button><label>Find<input></label><p>3 rows</p>';
    expect(await refuse(html, 'Press **Import**. You see "3 rows".')).toBe('followed');
    expect(await refuse(html, 'Type `Mia` into **Find**. You see "Mia".')).toBe('followed');
    expect(await refuse(html, 'Press **Reviews** on the left.')).toBe('followed');
    expect(await refuse(html, 'Press **Imports**.')).toMatch(/nothing is named Imports/);
    expect(await refuse(html, 'Press **Import** on the left.')).toMatch(/nothing is named Import/);
    expect(await refuse(html, 'Press **Import** in the row of `Mia`.')).toMatch(/nothing is named Import/);
    expect(await refuse(html, 'Type `Mia` into **Search**.')).toMatch(/no field is named Search/);
    expect(await refuse(html, 'You see "4 rows".')).toMatch(/nobody sees 4 rows/);
    expect(await refuse(`${html}<button>Import</button>`, 'Press **Import**.')).toMatch(/2 things are named Import/);
    expect(await refuse(`${html}<button hidden>Close</button>`, 'Press **Close**.')).toMatch(/nothing is named Close/);
    expect(await refuse(html, 'Your browser saves a file that begins with `a` and ends with `.csv`.')).toMatch(/saved nothing/);
  });
});
