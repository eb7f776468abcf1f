/** Service principals and their credentials, as the pages speak of them. */
import type { ReplyOf } from '~/data/query.ts';

export type Principal = NonNullable<ReplyOf<'ServicePrincipalService.List'>['list']>[number];
export type PrincipalCredential = NonNullable<ReplyOf<'ServicePrincipalService.ListCredentials'>['list']>[number];
