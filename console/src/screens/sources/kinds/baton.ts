/** Connectors that speak to us. Their names are in `connectors.json`. */
import connectors from './connectors.json';
import type { BatonSettings } from '~/data/messages.ts';
import type { KindOfSource } from './kind.ts';

export const baton: KindOfSource<BatonSettings> = {
  id: 'BATON',
  type: 'type.googleapis.com/countersign.v1.BatonSettings',
  name: 'baton.name',
  about: 'baton.about',
  before: 'baton.before',
  canTest: false,
  fields: [{ name: 'program', control: 'line', label: 'baton.program', hint: 'baton.programHint', example: 'baton-github' }],
  systems: [
    ...Object.entries(connectors).map(([name, program]) => ({ name, also: program, settings: { program } })),
    { name: { text: 'baton.another' }, also: 'baton connector konnektor' },
  ],
};
