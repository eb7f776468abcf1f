/** Settings of sources whose connector speaks to us. It brings what it found (connector-fetches.ts), so nothing is opened here. */
import type { FieldViolation } from '../../../errors.ts';
import { BatonSettingsSchema } from '../../../gen/countersign/v1/fetches_pb.js';
import type { Fetcher } from './types.ts';

/** Settings of a connector. */
interface BatonSettings {
  readonly program: string;
}

function check({ program }: BatonSettings): FieldViolation[] {
  return /^(baton-[a-z0-9][a-z0-9-]{0,99})?$/.test(program)
    ? []
    : [{ field: 'program', description: 'must be the name of a connector, such as baton-github' }];
}

/** The fetcher of connectors. */
export const batonFetcher: Fetcher<BatonSettings> = { kind: 'BATON', settings: BatonSettingsSchema, check };
