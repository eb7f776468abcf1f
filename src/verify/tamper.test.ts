/** Each file of the sample tampered with by somebody who makes all hashes fit again: the seal stops it, and whatever else knows better names the place. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { putTogether, takeApart, writeContainer } from '../../test/support/bundle.ts';
import { sampled } from '../../test/support/runs.ts';
import { UnreadableError, verifyBundle } from './index.ts';

const sample = readFileSync(join(import.meta.dirname, '../../test/vectors/evidence/sample.evidence.zip'));
const files = takeApart(sample);
const names = files.map(({ name }) => name);
const folder = mkdtempSync(join(tmpdir(), 'bundle-tamper-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What a verifier says of a container: each place once. */
async function say(container: Buffer): Promise<string[]> {
  const path = join(folder, 'tampered.zip');
  writeFileSync(path, container);
  try {
    const { findings } = await verifyBundle(path);
    return [...new Set(findings.map(({ file, line }) => (line === undefined ? file : `${file}, line ${line}`)))];
  } catch (error) {
    if (error instanceof UnreadableError) {
      return [`cannot be read: ${error.message}`];
    }
    throw error;
  }
}

const linesOf = (content: Buffer): string[] => content.toString('latin1').split('\n').slice(0, -1);
const joined = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');

/** Ways to change the lines of a file; undefined where it has too few. */
const ways: Readonly<Record<string, (lines: readonly string[]) => readonly string[] | undefined>> = {
  'a line removed': (lines) => lines.slice(1),
  'a line added': (lines) => [...lines, lines[0]!],
  'lines swapped': (lines) => (lines.length < 2 ? undefined : [lines[1]!, lines[0]!, ...lines.slice(2)]),
  'a line replaced': (lines) => [lines[0]!.replace(/"([a-z]+)":"[^"]/i, '"$1":"~'), ...lines.slice(1)],
};

/** What is known to be wrong besides the manifest. */
const knows: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'people.jsonl': {
    'a line removed': ['people-details.jsonl, line 1', 'people.jsonl'],
    'a line added': ['people.jsonl, line 4', 'people.jsonl'],
    'lines swapped': ['people.jsonl'],
    'a line replaced': ['people.jsonl, line 1', 'people.jsonl'],
  },
  'items.jsonl': {
    'a line removed': [
      'population/grants.jsonl, line 1',
      'decisions.jsonl, line 1',
      'outcomes.jsonl, line 1',
      'items.jsonl',
      'completeness.json',
    ],
    'a line added': ['items.jsonl, line 3', 'items.jsonl'],
    'lines swapped': ['items.jsonl'],
    'a line replaced': ['items.jsonl, line 1', 'population/grants.jsonl, line 1', 'items.jsonl'],
  },
  'decisions.jsonl': {
    'a line removed': ['decisions.jsonl', 'comments.jsonl, line 1', 'outcomes.jsonl, line 1'],
    'a line added': ['decisions.jsonl, line 3', 'decisions.jsonl'],
    'lines swapped': ['decisions.jsonl'],
    'a line replaced': ['decisions.jsonl, line 1', 'decisions.jsonl', 'comments.jsonl, line 1', 'comments.jsonl'],
  },
  'log/events.jsonl': {
    'a line removed': ['log/events.jsonl, line 1'],
    'a line added': ['log/events.jsonl, line 7', 'seal/event.json'],
  },
};

const lists = names.filter((name) => name.endsWith('.jsonl') && name !== 'hashes.jsonl');
describe.each(sampled(lists, 3))('%s', (name) => {
  it.each(Object.keys(ways))('with %s does not hold', async (way) => {
    const changed = ways[way]!(linesOf(files.find((file) => file.name === name)!.content));
    if (changed === undefined) {
      return;
    }
    const places = await say(putTogether(files.map((file) => (file.name === name ? { name, content: joined(changed) } : file))));
    expect(places).toContain('manifest.json');
    expect(places).toEqual(expect.arrayContaining([...(knows[name]?.[way] ?? [])]));
  });
});

describe.each(sampled(names, 3))('%s', (name) => {
  const isList = name === 'hashes.jsonl' || name === 'manifest.json';

  it.skipIf(isList)('with a byte changed and all hashes made to fit does not hold', async () => {
    const content = Buffer.from(files.find((file) => file.name === name)!.content);
    content[Math.floor(content.length / 2)]! ^= 1;
    const places = await say(putTogether(files.map((file) => (file.name === name ? { name, content } : file))));
    const isClosing = name.startsWith('seal/');
    expect(places.some((place) => place.startsWith(isClosing ? name : 'manifest.json'))).toBe(true);
  });

  it('left out is missed', async () => {
    const places = await say(writeContainer(files.filter((file) => file.name !== name)));
    // Nobody has to ask a time stamp server, so a seal without one is told as a note.
    expect(places.join('; ')).toContain(name === 'seal/timestamp.tsr' ? '' : name);
  });

  it('there twice is found', async () => {
    const places = await say(writeContainer([...files, files.find((file) => file.name === name)!]));
    expect(places).toContain(name);
  });

  it('in another place is found', async () => {
    const [first, ...others] = files;
    const file = files.find((one) => one.name === name)!;
    const moved = name === first!.name ? [...others, first!] : [file, ...files.filter((one) => one !== file)];
    expect(await say(writeContainer(moved))).toContain('the container');
  });
});

describe('population/accounts.jsonl', () => {
  it('behind very many lines that are none is still read', async () => {
    const name = 'population/accounts.jsonl';
    const lines = linesOf(files.find((file) => file.name === name)!.content);
    const content = joined([...Array.from({ length: 5000 }, () => '[]'), ...lines]);
    const places = await say(putTogether(files.map((file) => (file.name === name ? { name, content } : file))));
    expect(places).toEqual(expect.arrayContaining([`${name}, line 1`, `${name}, line 5000`, 'manifest.json']));
    expect(places).not.toContain(`${name}, line 5001`);
  });
});

describe('a container', () => {
  it('as the format demands is what the sample is', () => {
    expect(writeContainer(files).equals(sample)).toBe(true);
    expect(putTogether(files).equals(sample)).toBe(true);
  });

  it('with bytes that belong to nothing is found', async () => {
    const { length } = sample;
    expect(await say(Buffer.concat([sample, Buffer.from('x')]))).toEqual([expect.stringContaining('cannot be read')]);
    expect(await say(Buffer.concat([Buffer.from('x'), sample]))).toContain('the container');
    expect(await say(sample.subarray(0, length - 1))).toEqual([expect.stringContaining('cannot be read')]);
  });

  it.each([
    ['longer than an entry can say', Buffer.alloc(70_000, 'a')],
    ['of bytes that are no text', Buffer.alloc(65_535, 0xff)],
  ])('with a name in its directory %s is found', async (_, name) => {
    const end = sample.length - 169;
    const start = Number(sample.readBigUInt64LE(end + 48));
    const length = sample.readUInt16LE(start + 28);
    const odd = Buffer.concat([sample.subarray(0, start + 46), name, sample.subarray(start + 46 + length)]);
    odd.writeUInt16LE(name.length % 0x1_0000, start + 28);
    odd.writeBigUInt64LE(BigInt(odd.length - 169 - start), odd.length - 169 + 40);
    expect(await say(odd)).toContain('the container');
  });

  it('with lines in smaller blocks would be another bundle', async () => {
    expect(await say(putTogether(files, 1))).toEqual(['manifest.json']);
  });
});
