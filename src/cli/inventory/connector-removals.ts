/** `countersign source removals|release`: removals that the connector of a source carries out, through the API. */
import { SourceRemovalService, type SourceRemovalsJson } from '../../gen/countersign/v1/source_removals_pb.js';
import type { Commands } from '../frame/commands.ts';
import { UsageError } from '../frame/io.ts';

/** Adds the commands. */
export function addConnectorRemovalCommands(group: Commands): void {
  const operands = { '<id>': 'id of the source' } as const;
  group.run('removals', {
    description: 'show whether the connector of a source carries out removals, or let it; --off ends that',
    operands,
    options: {
      '--on': 'let the connector carry out removals',
      '--off': 'ask people again',
      '--hourly <number>': 'send at most so many an hour without a release, 1 to 1000',
    },
    act: async ({ id, on = false, off = false, hourly }, { client }) => {
      const most = Number(hourly ?? '0');
      if (!Number.isInteger(most) || (on && off)) {
        throw new UsageError(on && off ? 'pass --on or --off, not both' : '--hourly must be a whole number');
      }
      const { removals: before = {} } = await client.call(SourceRemovalService.method.get, { id });
      if (!on && !off && hourly === undefined) {
        return { json: before, text: tell(before) };
      }
      const enabled = on || (!off && before.enabled === true);
      const { removals = {} } = await client.call(SourceRemovalService.method.set, { id, enabled, hourly: most });
      return { json: removals, text: tell(removals) };
    },
  });

  group.call('release', {
    description: 'send the removals that were over the limits of a source',
    operands,
    method: SourceRemovalService.method.release,
    text: ({ released = 0 }) => `Removals that are sent now: ${released}.`,
  });
}

function tell({
  enabled,
  hourly = 0,
  resourceTypes = [],
  underWay = 0,
  limited = 0,
  carriedOut = 0,
  failed = 0,
  leftToPeople = 0,
}: SourceRemovalsJson): string[] {
  return [
    enabled === true
      ? `The connector carries out removals, at most ${hourly} an hour.`
      : 'The connector carries out no removals: people are asked.',
    `It can remove from: ${resourceTypes.join(', ') || 'nothing'}.`,
    `Under way: ${underWay}. Wait for a release: ${limited}. Carried out: ${carriedOut}. Failed: ${failed}. Left to people: ${leftToPeople}.`,
  ];
}
