/** Removals as the console reads them. */
import type { ReplyOf } from '~/data/query.ts';

export type Removal = NonNullable<ReplyOf<'RevocationService.List'>['list']>[number];
