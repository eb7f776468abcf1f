/** Objects of these pages. */
import type { ReplyOf } from '~/data/query.ts';

export type Credential = NonNullable<ReplyOf<'PersonalClientService.List'>['list']>[number];

/** A credential that was made just now. The secret is in the state of one component and nowhere else. */
export interface MadeCredential {
  readonly clientId: string;
  readonly displayName: string;
  readonly secret: string;
}

/** A role that the person holds and may give to a program. */
export interface HeldRole {
  readonly id: string;
  readonly name: string;
}
