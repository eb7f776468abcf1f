/** Reading members line by line. */
import { type Fields, readFields } from './fields.ts';
import type { Bundle } from './members.ts';

/** Calls `read` for each line of a member, whatever is in it. Returns the number of lines; 0 where the bundle does not have the member. */
export function eachText({ lines }: Bundle, file: string, read: (bytes: Buffer, line: number) => void): number {
  let line = 0;
  for (const block of lines(file)) {
    for (const bytes of block) {
      line += 1;
      read(bytes, line);
    }
  }
  return line;
}

/** Calls `read` for each line of a member that is an object, and names the others. Returns the number of lines. */
export function eachLine(bundle: Bundle, file: string, read: (fields: Fields, line: number, bytes: Buffer) => void): number {
  return eachText(bundle, file, (bytes, line) => {
    const fields = readFields(bytes.toString());
    if (fields === undefined) {
      bundle.findings.add(file, 'It is not a JSON object.', { line });
    } else {
      read(fields, line, bytes);
    }
  });
}
