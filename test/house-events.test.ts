/** That `npm run typecheck` sees a kind of event that nobody records. */
import { expect, it } from 'vitest';
import { findUnrecorded } from '../scripts/check-events.js';

it('names a kind that nobody records with its place, though somebody hears of it', () => {
  const kinds = ['lamp.lit', 'lamp.dimmed', 'lamp.moved', 'lamp.sold', 'lamp.broken'];
  const catalogue = { path: 'src/events/lamps.ts', text: kinds.map((kind) => `  '${kind}': {},\n`).join('') };
  const writer = {
    path: 'src/inventory/lamps/turn.ts',
    text: "recordEvent(context, { kind: isOn ? 'lamp.lit' : 'lamp.dimmed' });\nrecordChange('lamp.moved');\nconst kinds = { SOLD: 'lamp.sold' };\n",
  };
  const hearer = {
    path: 'src/outward/mails/lamps.ts',
    text: "on(['lamp.broken'], tell);\nlistNews('lamp.broken'); // recordEvent({ kind: 'lamp.broken' })\ntype Kind = { kind: 'lamp.broken' };\n",
  };
  expect(findUnrecorded([catalogue, writer, hearer])).toEqual([
    expect.stringContaining('src/events/lamps.ts:5: nobody records the event lamp.broken'),
  ]);
});
