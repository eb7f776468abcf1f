/** Handling of figures that fail, hang, crash or are interrupted by `npm run bench`, and what is printed of them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atMost, type Figure, type FigureResult, fullRows, verdictOf } from '../figure.ts';
import { measureAll, type Step } from './measure-all.ts';
import { createReport, type ReportForm } from './report.ts';
import { type Plan, supervise } from './supervise.ts';

const run = { rows: 50_000, isShort: true };
const noWorld = (): Promise<never> => Promise.reject(new Error('not asked for'));
const result = (title: string): FigureResult => atMost(1, { title, ours: '1', peer: '1', ratio: 1 });
/** A step in a few words. */
const brief = (step: Step): string =>
  step.kind === 'measured'
    ? `${step.name}: ${step.result.title}`
    : `${step.name} ${step.kind}${step.kind === 'ended' && step.failure !== undefined ? `: ${step.failure.split('\n')[0]}` : ''}`;

describe('measuring', () => {
  it('hears the results of a figure one by one', async () => {
    const log: string[] = [];
    const measure: Figure = async function* () {
      for (const title of ['one', 'two']) {
        log.push(`measures ${title}`);
        yield await Promise.resolve(result(title));
      }
    };
    await measureAll([{ name: 'both', reach: 'GROWING', measure }], noWorld, run, (step) => log.push(brief(step)));
    expect(log).toEqual(['both begun', 'measures one', 'both: one', 'measures two', 'both: two', 'both ended']);
  });

  it('goes on after a figure that fails, and says why it did', async () => {
    const log: string[] = [];
    const figure = (name: string, measure: Figure) => ({ name, reach: 'ANY_SIZE' as const, measure });
    const broken: Figure = () => Promise.reject(new Error('A credential can only be made for an enabled person.'));
    const sound: Figure = (_, { rows }) => Promise.resolve([result(`${rows} rows`)]);
    await measureAll([figure('first', broken), figure('second', sound)], noWorld, run, (step) => log.push(brief(step)));
    expect(log).toEqual([
      'first begun',
      'first ended: Error: A credential can only be made for an enabled person.',
      'second begun',
      'second: 50000 rows',
      'second ended',
    ]);
  });
});

describe('the process that measures', () => {
  let folder: string;
  let program: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cs-bench-'));
    program = join(folder, 'program.mjs');
    // Each figure does what its name says; all leave a process and a file behind that they do not end themselves.
    writeFileSync(
      program,
      `import { spawn } from 'node:child_process';
      import { mkdtempSync, writeFileSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      import { measureAll } from ${JSON.stringify(join(import.meta.dirname, 'measure-all.ts'))};
      const { names, ...run } = JSON.parse(process.argv[2]);
      const result = (title) => ({ title, ours: '1', peer: '1', ratio: 1, limit: 'at most 1', isMet: true });
      const does = {
        sound: async () => [result('sound')],
        hanging: async function* () {
          const left = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e6)'], { stdio: 'ignore' });
          writeFileSync(mkdtempSync(tmpdir() + '/left-') + '/file', 'x');
          writeFileSync(${JSON.stringify(join(folder, 'left.json'))}, JSON.stringify([left.pid, tmpdir()]));
          yield result('before it hangs');
          await new Promise(() => setInterval(() => undefined, 1e6));
        },
        looping: async () => { for (;;); },
        crashing: async () => process.exit(9),
      };
      if (names[0] === 'unstartable') process.exit(3);
      await measureAll(names.map((name) => ({ name, reach: 'ANY_SIZE', measure: does[name] })), undefined, run, (step) => process.send(step));
      process.disconnect();`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const follow = async (names: readonly string[], more: Partial<Plan> = {}, stopAt?: string) => {
    const log: string[] = [];
    const stopping = new AbortController();
    const heard = (step: Step): void => {
      log.push(brief(step));
      if (log.at(-1) === stopAt) {
        stopping.abort();
      }
    };
    const plan: Plan = { ...run, names, program, figureTime: 60_000, wholeTime: 120_000, ...more };
    const unreached = await supervise(plan, { heard, log: (line) => log.push(line), signal: stopping.signal });
    return { log, unreached };
  };
  const expectNothingLeft = (): void => {
    const [pid = 0, at = ''] = JSON.parse(readFileSync(join(folder, 'left.json'), 'utf8')) as [number, string];
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(() => readdirSync(at)).toThrow('ENOENT');
  };

  it('is ended where a figure hangs, with all it started, and another one measures the rest', async () => {
    expect(await follow(['sound', 'hanging', 'sound'], { figureTime: 5_000 })).toEqual({
      log: [
        'sound begun',
        'sound: sound',
        'sound ended',
        'hanging begun',
        'hanging: before it hangs',
        'hanging ended: it was ended after 5 s, the time a figure may take',
        'sound begun',
        'sound: sound',
        'sound ended',
      ],
      unreached: [],
    });
    expectNothingLeft();
  });

  it('is ended where a figure never gives way', async () => {
    const { log } = await follow(['looping', 'sound'], { figureTime: 1_000 });
    expect(log[1]).toBe('looping ended: it was ended after 1 s, the time a figure may take');
    expect(log.at(-1)).toBe('sound ended');
  });

  it('may crash without taking the other figures with it', async () => {
    const { log, unreached } = await follow(['crashing', 'sound']);
    expect(log).toEqual([
      'crashing begun',
      'crashing ended: the process that measures it ended with 9',
      'sound begun',
      'sound: sound',
      'sound ended',
    ]);
    expect(unreached).toEqual([]);
  });

  it('is not started for ever where it cannot begin', async () => {
    expect(await follow(['unstartable', 'sound'])).toEqual({
      log: ['The process that measures ended with 3.'],
      unreached: ['unstartable', 'sound'],
    });
  });

  it('is ended in the middle of a figure when the run is interrupted, and nothing is left', async () => {
    expect(await follow(['sound', 'hanging', 'sound'], {}, 'hanging: before it hangs')).toEqual({
      log: ['sound begun', 'sound: sound', 'sound ended', 'hanging begun', 'hanging: before it hangs', 'hanging ended: it was interrupted'],
      unreached: ['sound'],
    });
    expectNothingLeft();
  });

  it('is not started when the time of the whole run is over', async () => {
    expect(await follow(['sound', 'sound'], { wholeTime: 0 })).toEqual({ log: [], unreached: ['sound', 'sound'] });
  });
});

describe('what is printed', () => {
  const steps: readonly Step[] = [
    { kind: 'begun', name: 'first' },
    { kind: 'measured', name: 'first', result: { ...result('one'), reach: 'GROWING' } },
    { kind: 'ended', name: 'first', seconds: 1 },
    { kind: 'begun', name: 'second' },
    { kind: 'ended', name: 'second', seconds: 2, failure: 'Error: no\n    at here' },
  ];
  const print = (form: ReportForm, isInterrupted = false) => {
    const [out, err]: [string[], string[]] = [[], []];
    const report = createReport({ form, ...run, count: 3, print: (line) => out.push(line), log: (line) => err.push(line) });
    steps.forEach(report.hear);
    const isWhole = report.end({ unreached: ['third'], isInterrupted });
    return { out: out.join('\n'), err: err.join('\n'), isWhole };
  };

  it('is each figure when it is there, and a table at the end; progress goes elsewhere', () => {
    const { out, err, isWhole } = print('TEXT');
    expect(out).toBe(
      [
        'one: 1; peer 1; ratio 1.00; at most 1 times the peer: met at 50,000 grants',
        '',
        'FIGURE  OURS  PEER  RATIO  LIMIT',
        'one     1     1     1.00   at most 1 times the peer  met at 50,000 grants',
      ].join('\n'),
    );
    expect(err).toContain(
      '[1/3] first ...\n[1/3] first took 1.0 s\n[2/3] second ...\n[2/3] second failed after 2.0 s: Error: no\n    at here',
    );
    expect(err).toContain('Not measured, or not to the end:\n  second: Error: no\nNot reached: third');
    expect(isWhole).toBe(false);
  });

  it('is one document for programs, also after a failure and an interrupt', () => {
    expect(JSON.parse(print('JSON', true).out)).toMatchObject({
      rows: 50_000,
      isShort: true,
      isInterrupted: true,
      durations: { first: 1, second: 2 },
      figures: [{ figure: 'first', title: 'one', isMet: true, verdict: 'met at 50,000 grants' }],
      failed: ['second'],
      failures: [{ figure: 'second', reason: 'Error: no' }],
      unreached: ['third'],
    });
  });

  it.each([
    ['ANY_SIZE', true, 50_000, 'met'],
    ['ANY_SIZE', false, 50_000, 'NOT MET'],
    ['GROWING', true, 50_000, 'met at 50,000 grants'],
    ['GROWING', false, 50_000, 'NOT MET'],
    ['FULL_SIZE', true, 50_000, 'not judged below 1,000,000 grants'],
    ['FULL_SIZE', false, 50_000, 'not judged below 1,000,000 grants'],
    ['FULL_SIZE', false, fullRows, 'NOT MET'],
    ['GROWING', true, fullRows, 'met'],
  ] as const)('says of a limit that holds at %s and is met: %s, with %d grants: %s', (reach, isMet, rows, verdict) => {
    expect(verdictOf({ ...result('one'), reach, isMet }, rows)).toBe(verdict);
  });
});
