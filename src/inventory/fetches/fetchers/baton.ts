/** Settings of sources whose connector speaks to us. It brings what it found (connector-fetches.ts), so nothing is opened here. */
import type { FieldViolation } from '../../../errors.ts';
import { BatonSettingsSchema } from '../../../gen/countersign/v1/fetches_pb.js';
import type { Fetcher, Settings } from './types.ts';

function check({ program }: Settings<typeof BatonSettingsSchema>): FieldViolation[] {
  return /^(baton-[a-z0-9][a-z0-9-]{0,99})?$/.test(program)
    ? []
    : [{ field: 'program', description: 'must be the name of a connector, such as baton-github' }];
}

/** The fetcher of connectors. */
export const batonFetcher: Fetcher<typeof BatonSettingsSchema> = { kind: 'BATON', settings: BatonSettingsSchema, check };
