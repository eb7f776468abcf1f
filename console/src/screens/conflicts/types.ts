/** Objects of these pages. */
import type { ReplyOf } from '~/data/query.ts';

export type Alert = NonNullable<ReplyOf<'ConflictAlertService.List'>['list']>[number];
export type Binding = NonNullable<ReplyOf<'ConflictMonitorService.ListEntitlements'>['list']>[number];
