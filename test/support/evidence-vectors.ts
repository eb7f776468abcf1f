/** Reads the examples of the evidence formats in test/vectors/evidence; its README.md says what each file expects. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../vectors/evidence');

/** The bytes of one file. */
export function readVector(path: string): Buffer {
  return readFileSync(join(folder, path));
}

/** The value of one JSON file, of the shape its test expects. */
export function readVectorJson<Shape>(path: string): Shape {
  return JSON.parse(readVector(path).toString()) as Shape;
}
