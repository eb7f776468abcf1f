/** Tests that are known to fail now and then, test/unsteady.txt: the usual suite leaves them out until they are mended, for a month at most. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One test that is left out. */
export interface UnsteadyTest {
  /** Path from the top of the clone. */
  readonly file: string;
  /** Its suites and its name, joined by ` > `, as the log names it. */
  readonly test: string;
  readonly date: Date;
  readonly message: string;
}

const maxLines = 10;
const maxAgeMs = 31 * 24 * 3_600_000;

/** Reads the list. Throws where a line has not its four parts, and where there are more than ten. */
export function readUnsteady(text: string): readonly UnsteadyTest[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (lines.length > maxLines) {
    throw new Error(`test/unsteady.txt has ${lines.length} lines, more than ${maxLines}: mend tests before more are left out`);
  }
  return lines.map((line) => {
    const [file = '', test = '', day = '', ...message] = line.split(' | ').map((part) => part.trim());
    const date = new Date(day);
    if (!file.endsWith('.test.ts') || test === '' || Number.isNaN(date.getTime()) || message.join('') === '') {
      throw new Error(`test/unsteady.txt: a line is "file | test | date | message", and this is not: ${line}`);
    }
    return { file, test, date, message: message.join(' | ') };
  });
}

/** Returns those that still count: a month after its date, a test runs again and is seen. */
export function stillUnsteady(all: readonly UnsteadyTest[], now: Date): readonly UnsteadyTest[] {
  return all.filter(({ date }) => now.getTime() - date.getTime() <= maxAgeMs);
}

/** Returns the tests of a file that this suite leaves out, by their names: only where COUNTERSIGN_TEST_UNSTEADY says so. */
export function leftOutOf(path: string): ReadonlyMap<string, UnsteadyTest> {
  if (process.env['COUNTERSIGN_TEST_UNSTEADY'] !== 'left out') {
    return new Map();
  }
  const text = readFileSync(join(import.meta.dirname, '../unsteady.txt'), 'utf8');
  const ofFile = stillUnsteady(readUnsteady(text), new Date()).filter(({ file }) => path.endsWith(`/${file}`));
  return new Map(ofFile.map((one) => [one.test, one]));
}
