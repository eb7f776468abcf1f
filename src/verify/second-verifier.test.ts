/** The second verifier (docs/verify/verify.py) beside ours: the same exit code for every bundle, and the same files named. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { containedFile, type PackedFile, putTogether, takeApart, writeContainer } from '../../test/support/bundle.ts';
import { makeBundle } from '../../test/support/made-bundle.ts';
import { createRandom } from '../../test/support/random.ts';
import { sampled, tries } from '../../test/support/runs.ts';
import { askSecondVerifier, secondVerifier } from '../../test/support/second-verifier.ts';
import { seedOfRun } from '../../test/support/seed.ts';
import { UnreadableError, verifyBundle } from './index.ts';

const vectors = join(import.meta.dirname, '../../test/vectors/evidence');
const sample = join(vectors, 'sample.evidence.zip');
const folder = mkdtempSync(join(tmpdir(), 'bundle-second-'));
const place = (name: string): string => join(folder, name);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Said {
  readonly exitCode: number;
  readonly files: readonly string[];
}

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();
const exitCodes = { holds: 0, broken: 1, unproven: 3 } as const;

/** Files from outside, by the options that name them. */
type Outside = Readonly<Record<string, string>>;

/** Findings of ours, without the sentences that `leftOut` finds. */
async function askOurs(path: string, outside: Outside, leftOut?: RegExp): Promise<Said> {
  const read = (option: string): Buffer | undefined => (outside[option] === undefined ? undefined : readFileSync(outside[option]));
  try {
    const { verdict, findings } = await verifyBundle(
      path,
      {
        key: read('--key'),
        tsaRoots: read('--tsa-roots'),
        idpKeys: read('--idp-keys'),
        checkpoint: read('--checkpoint'),
      },
      outside['--tsa-policies']?.split(','),
    );
    return {
      exitCode: exitCodes[verdict],
      files: sorted(findings.filter(({ sentence }) => leftOut?.test(sentence) !== true).map(({ file }) => file)),
    };
  } catch (error) {
    if (error instanceof UnreadableError) {
      return { exitCode: 2, files: [] };
    }
    throw error;
  }
}

function askSecond(path: string, outside: Outside): Said {
  const { status, stdout, stderr } = askSecondVerifier(path, ...Object.entries(outside).flat());
  if (status === null || stderr.includes('Traceback')) {
    throw new Error(`verify.py did not end by itself: ${stderr}`);
  }
  const named = [...stdout.matchAll(/^DOES NOT HOLD: (.+?)(?:, line \d+)?: /gm)].map(([, file = '']) => file);
  return { exitCode: status, files: sorted(named) };
}

async function compare(path: string, outside: Outside = {}): Promise<Said> {
  const ours = await askOurs(path, outside);
  expect(askSecond(path, outside)).toEqual(ours);
  return ours;
}

function write(name: string, content: Buffer): string {
  writeFileSync(place(name), content);
  return place(name);
}

describe('the second verifier', () => {
  it('has fewer than 300 lines', () => {
    expect(readFileSync(secondVerifier, 'utf8').trimEnd().split('\n').length).toBeLessThan(300);
  });

  it('lets the sample pass as ours does, on keys of the bundle and on keys from outside', async () => {
    const outside = {
      '--key': join(vectors, 'sample.key.txt'),
      '--tsa-roots': join(vectors, 'tsa/root.crt'),
      '--idp-keys': write('idp.json', containedFile(sample, 'keys/idp.json')),
    };
    expect(await compare(sample)).toEqual({ exitCode: 3, files: [] });
    expect(await compare(sample, outside)).toEqual({ exitCode: 0, files: [] });
    // As editors of Windows save a text.
    const marked = Object.entries(outside).map(([option, path]): [string, string] => [
      option,
      write(`marked${option}`, Buffer.concat([Buffer.from('\ufeff'), readFileSync(path)])),
    ]);
    expect(await compare(sample, Object.fromEntries(marked))).toEqual({ exitCode: 0, files: [] });
    for (const option of Object.keys(outside)) {
      expect(await compare(sample, Object.fromEntries(Object.entries(outside).filter(([name]) => name !== option)))).toMatchObject({
        exitCode: 3,
      });
    }
  });

  it('finds wrong keys and other checkpoints as ours does', async () => {
    const checkpoint = write('checkpoint', containedFile(sample, 'log/checkpoint'));
    expect(await compare(sample, { '--tsa-roots': join(vectors, 'tsa/other-root.crt') })).toMatchObject({ exitCode: 1 });
    expect(await compare(sample, { '--tsa-policies': '1.2.3,1.3.6.1.4.1.99999.1.1' })).toMatchObject({ exitCode: 3 });
    const { exitCode, files } = await compare(sample, { '--tsa-policies': '1.3.6.1.4.1.99999.1.10' });
    expect([exitCode, files]).toEqual([1, ['seal/timestamp.tsr', 'signatures.jsonl']]);
    expect(await compare(sample, { '--checkpoint': checkpoint })).toMatchObject({ exitCode: 3 });
    expect(await compare(join(vectors, 'forged/operator-rewrote-the-log.zip'), { '--checkpoint': checkpoint })).toMatchObject({
      exitCode: 1,
    });
    expect(await compare(join(vectors, 'README.md'))).toMatchObject({ exitCode: 2 });
    expect(await compare(sample, { '--key': join(vectors, 'README.md') })).toMatchObject({ exitCode: 2 });
  });

  it.each(sampled(readdirSync(join(vectors, 'forged')), 3))('finds what was done to %s', async (name) => {
    expect(await compare(join(vectors, 'forged', name))).toMatchObject({ exitCode: 1 });
  });
});

/** One of many ways to forge a bundle, all hashes made to fit again. */
function forge(files: readonly PackedFile[], draw: (count: number) => number): { readonly name: string; readonly content: Buffer } {
  const lists = files.filter(({ name, content }) => name.endsWith('.jsonl') && name !== 'hashes.jsonl' && content.length > 0);
  const { name, content } = lists[draw(lists.length)]!;
  const lines = content.toString('latin1').split('\n').slice(0, -1);
  const [one, other] = [draw(lines.length), draw(lines.length)];
  const line = lines[one]!;
  const forged = [
    () => lines.toSpliced(one, 1),
    () => lines.toSpliced(one, 0, lines[other]!),
    () => lines.with(one, lines[other]!).with(other, line),
    () => lines.with(one, '{}'),
    () => lines.with(one, line.slice(0, draw(line.length))),
    // Another letter or digit somewhere.
    () => {
      const at = draw(line.length);
      return lines.with(one, `${line.slice(0, at)}${line[at] === 'a' ? 'b' : 'a'}${line.slice(at + 1)}`);
    },
    // A member that is missing, and one of another type.
    () => lines.with(one, line.replace(/"[a-zA-Z]+":(?:"[^"\\]*"|null|\d+),/, '')),
    () => lines.with(one, line.replace(/:"[^"\\]*"/, ':7')),
    () => lines.with(one, line.replace(/:"[^"\\]*"/, ':{"a":[null]}')),
  ];
  const changed = forged[draw(forged.length)]!();
  return { name, content: Buffer.from(changed.map((text) => `${text}\n`).join(''), 'latin1') };
}

/** Sentences on verdicts that were worked out anew, which the second verifier leaves to the first. */
const ofReplay = /^(?:Its verdict is |It is of an (?:account|entitlement) that the population does not have)/;

/** A line of a bundle. */
type Row = Readonly<Record<string, string>>;

describe('both verifiers', () => {
  it.each(['the sample', 'one as the service makes them'])(
    'say the same of bundles forged by chance: %s',
    { timeout: 3_600_000 },
    async (which) => {
      const from = which === 'the sample' ? sample : place('made.zip');
      if (from !== sample) {
        await makeBundle(from, { accounts: 24, each: 4, together: 7 });
      }
      const files = takeApart(readFileSync(from));
      const random = createRandom(seedOfRun);
      const draw = (count: number): number => Math.floor(random() * count);
      for (let run = 0; run < tries(3, 40); run++) {
        const { name, content } = forge(files, draw);
        const path = write('forged.zip', putTogether(files.map((file) => (file.name === name ? { name, content } : file))));
        const [second, ours] = [askSecond(path, {}), await askOurs(path, {}, ofReplay)];
        expect([name, content.toString(), second]).toEqual([name, content.toString(), ours]);
      }
    },
  );

  it.each([
    ['one that was withdrawn beside it', true, (rows: readonly Row[]) => [...rows, { ...rows[0], id: 'other', state: 'CANCELLED' }]],
    [
      'one of an item that was certified, withdrawn',
      true,
      (rows, certified) => [...rows, { ...rows[0], item: certified, state: 'CANCELLED' }],
    ],
    ['one of an item that was certified', false, (rows, certified) => [...rows, { ...rows[0], item: certified }]],
    ['another one', false, (rows) => [...rows, { ...rows[0], id: 'other' }]],
    ['one less', false, (rows) => rows.slice(1)],
  ] as const satisfies readonly (readonly [string, boolean, (rows: readonly Row[], certified: string) => object[]])[])(
    'hold the removals to what was denied: %s',
    async (_, holds, change) => {
      await makeBundle(place('removals.zip'), { accounts: 24, each: 4, together: 7 });
      const files = takeApart(readFileSync(place('removals.zip')));
      const read = (name: string): string => files.find((file) => file.name === name)?.content.toString() ?? '';
      const rowsOf = (name: string): Row[] =>
        read(name)
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Row);
      const certified = rowsOf('outcomes.jsonl').find(({ outcome }) => outcome === 'CERTIFIED')?.item ?? '';
      const rows = change(rowsOf('revocations.jsonl'), certified);
      const sums = { ...(JSON.parse(read('completeness.json')) as object), revocations: { PENDING: rows.length } };
      const changed: Readonly<Record<string, string>> = {
        'revocations.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
        'completeness.json': JSON.stringify(sums),
      };
      const forged = files.map((file) => ({ ...file, content: Buffer.from(changed[file.name] ?? file.content) }));
      const found = await compare(write('removals-changed.zip', putTogether(forged)));
      expect(found.files.includes('completeness.json')).toBe(!holds);
    },
  );

  it.each([
    ['as they were logged', { hr: 2, idp: 0 }, []],
    ['with another number', { hr: 1, idp: 0 }, ['hr']],
    ['without a source', { idp: 0 }, ['hr']],
    ['with a source that was not logged', { hr: 2, idp: 0, other: 1 }, ['other']],
    ['with none', {}, ['hr', 'idp']],
  ])('hold the disputed records of people to the event of the snapshot: %s', async (_, named, wrong) => {
    await makeBundle(place('disputed.zip'), { accounts: 4, each: 2, together: 2, disputed: { logged: { hr: 2, idp: 0 }, named } as never });
    const isWrong = wrong.length > 0;
    expect(await compare(place('disputed.zip'))).toEqual({ exitCode: isWrong ? 1 : 3, files: isWrong ? ['completeness.json'] : [] });
    const { findings } = await verifyBundle(place('disputed.zip'));
    expect(findings.map(({ sentence }) => /disputed records of source (\w+),/.exec(sentence)?.[1])).toEqual(wrong);
  });

  it('say the same of containers that are not as the format demands', async () => {
    const files = takeApart(readFileSync(sample));
    const first = files[0] as PackedFile;
    const oddities: readonly (readonly PackedFile[])[] = [
      [...files, first],
      files.slice(1),
      files.filter(({ name }) => name !== 'manifest.json'),
      files.filter(({ name }) => name !== 'seal/timestamp.tsr'),
      [...files.slice(1), first],
      files.map((file) => (file === first ? { ...file, packed: Buffer.concat([file.packed, Buffer.of(0)]) } : file)),
      files.map((file) => (file === first ? { ...file, packed: file.content, isStored: true } : file)),
    ];
    for (const odd of oddities) {
      await compare(write('odd.zip', writeContainer(odd)));
    }
  });
});
