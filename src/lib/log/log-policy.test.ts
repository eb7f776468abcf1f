/** Policy files: which cosigners are enough, and what is refused, with its line. */
import { describe, expect, it } from 'vitest';
import { readVector, readVectorJson } from '../../../test/support/evidence-vectors.ts';
import { createWitness } from '../../../test/support/witness.ts';
import { readLogPolicy, trustLogs } from './log-policy.ts';
import { readVkey } from './signed-note.ts';

const { generations, witness } = readVectorJson<{ generations: { vkey: string }[]; witness: { vkey: string } }>('keys.json');
const logs = generations.map(({ vkey }) => `log ${vkey}\n`);
const keys = [1, 2, 3, 4].map((number) => createWitness(`w${number}.example`, number).key.vkey);
const witnesses = keys.map((vkey, index) => `witness w${index + 1} ${vkey}\n`).join('');
const read = (text: string) => readLogPolicy(Buffer.from(text));

describe('a policy', () => {
  it('holds the logs and witnesses of its file and the rule for a quorum', () => {
    const policy = readLogPolicy(readVector('checkpoints/policy.txt'));
    expect(policy.logs.map(({ vkey }) => vkey)).toEqual([generations[0]!.vkey]);
    expect(policy.witnesses.map(({ vkey }) => vkey)).toEqual([witness.vkey]);
    expect(policy.isQuorum(new Set())).toBe(false);
    expect(policy.isQuorum(new Set(policy.witnesses))).toBe(true);
  });

  it('of logs alone wants no witness', () => {
    const log = readVkey(generations[0]!.vkey);
    expect(trustLogs([log])).toMatchObject({ logs: [log], witnesses: [] });
    expect(trustLogs([log]).isQuorum(new Set())).toBe(true);
    expect(read(`${logs.join('')}quorum none\n`).isQuorum(new Set())).toBe(true);
  });

  it.each([
    ['quorum w2\n', [[2], [1, 2]], [[], [1], [1, 3, 4]]],
    ['group g any w1 w2\nquorum g\n', [[1], [2], [2, 3]], [[], [3, 4]]],
    ['group g all w1 w2\nquorum g\n', [[1, 2]], [[1], [2, 3, 4]]],
    [
      'group g 2 w1 w2 w3\nquorum g\n',
      [
        [1, 3],
        [1, 2, 3],
      ],
      [[1], [3, 4]],
    ],
    [
      'group one any w1 w2\ngroup all 2 one w3 w4\nquorum all\n',
      [
        [1, 3],
        [3, 4],
        [2, 4],
      ],
      [[1, 2], [3]],
    ],
  ])('says by %j whose cosignatures are enough', (lines, enough, tooFew) => {
    const policy = read(`${logs[0]}${witnesses}${lines}`);
    const isQuorum = (numbers: number[]) => policy.isQuorum(new Set(numbers.map((number) => policy.witnesses[number - 1]!)));
    expect(enough.filter((numbers) => !isQuorum(numbers))).toEqual([]);
    expect(tooFew.filter(isQuorum)).toEqual([]);
  });

  it('may have comments, empty lines, tabs, addresses, and names in any alphabet', () => {
    const policy = read(
      `# ours\n\n \t\n\tlog\t${generations[0]!.vkey}  https://log.example \nwitness свидетель ${keys[0]} https://w.example\nquorum свидетель\n`,
    );
    expect(policy.isQuorum(new Set(policy.witnesses))).toBe(true);
  });

  it.each([
    ['', /line feed/],
    ['quorum none', /line feed/],
    ['quorum none\r\n', /control characters/],
    [logs[0]!, /no quorum line/],
    ['quorum none\nquorum none\n', /line 2: a policy has one quorum line/],
    ['quorum\n', /line 1: a policy has one quorum line/],
    ['quorum w1\n', /line 1: no line before defines w1/],
    ['\nconstructor x\n', /line 2: a line begins with/],
    ['log\n', /line 1: a log has a key/],
    [`log ${generations[0]!.vkey} a b\n`, /line 1: a log has a key/],
    ['log x\n', /line 1: A key has the form/],
    [`log ${keys[0]}\n`, /line 1: the key of w1.example is not of type 0x01/],
    [`${logs[0]}${logs[0]}`, /line 2: the key of .* is there already/],
    ['witness w1\n', /line 1: a witness has a name/],
    [`witness none ${keys[0]}\n`, /line 1: the name none is taken/],
    [`witness w1 ${generations[0]!.vkey}\n`, /line 1: the key of .* is not of type 0x04/],
    [`${witnesses}witness w1 ${witness.vkey}\n`, /line 5: the name w1 is taken/],
    [`${witnesses}witness w5 ${keys[0]}\n`, /line 5: the key of w1.example is there already/],
    [`${witnesses}group w1 any w2\n`, /line 5: the name w1 is taken/],
    [`${witnesses}group g any\n`, /line 5: a group has/],
    [`${witnesses}group g 0 w1\n`, /line 5: a group has/],
    [`${witnesses}group g 3 w1 w2\n`, /line 5: a group has/],
    [`${witnesses}group g 01 w1 w2\n`, /line 5: a group has/],
    [`${witnesses}group g any g\n`, /line 5: no line before defines g/],
    [`${witnesses}group g any none\n`, /line 5: no line before defines none/],
    [`${witnesses}group g any w1 w1\n`, /line 5: w1 is a member already/],
    [`${witnesses}group g any w1\ngroup h any w1 w2\n`, /line 6: w1 is a member already/],
    ['quorum свидетель\n', /line 1: no line before defines свидетель/],
  ])('is refused for %j', (text, reason) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ name: 'NoteError', message: expect.stringMatching(reason) }));
  });

  it('is refused where a key is no text', () => {
    expect(() => readLogPolicy(Buffer.from('log \xff\n', 'latin1'))).toThrow(/line 1: a key is UTF-8 text/);
  });
});
