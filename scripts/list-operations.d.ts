// The types of what tests use of list-operations.js.
/** An operation of the public API: `permission` where it is served, `reason` where it is not. */
export interface PublicOperation {
  readonly verb: string;
  readonly path: string;
  readonly name: string;
  readonly permission?: string;
  readonly reason?: string;
}
export const page: string;
export function listPublicOperations(): Promise<PublicOperation[]>;
export function listElsewhere(): Promise<Pick<PublicOperation, 'verb' | 'path' | 'name'>[]>;
export function renderPage(text: string): Promise<string>;
