/** The part of pg-copy-streams that we use; the package declares nothing itself. */
declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream';
  import type { Submittable } from 'pg';

  export class CopyStreamQuery extends Writable implements Submittable {
    submit(connection: unknown): void;
    handleError(error: Error): void;
    rowCount: number;
  }
  export function from(sql: string): CopyStreamQuery;

  export class CopyToStreamQuery extends Readable implements Submittable {
    submit(connection: unknown): void;
    handleError(error: Error): void;
    rowCount: number;
  }
  export function to(sql: string): CopyToStreamQuery;
}
