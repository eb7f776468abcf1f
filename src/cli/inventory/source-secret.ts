/** `countersign source secret set|remove`: secrets of a source, which come from standard input or a file and never from the command line. */
import { SourceService } from '../../gen/countersign/v1/connectors_pb.js';
import type { Commands } from '../frame/commands.ts';
import { type CommandIo, UsageError } from '../frame/io.ts';
import { readSecrets } from './fetch.ts';

/** Adds the commands. */
export function addSourceSecretCommands(group: Commands): void {
  const operands = { '<id>': 'id of the source', '<name>': 'name of the secret, such as password or bindPassword' } as const;
  group.run('set', {
    description: 'set a secret of a source, read from standard input unless an option says otherwise',
    operands,
    options: {
      '--file <path>': 'a file of this machine that holds it',
      '--server-file <name>': 'a file below --secrets-dir of the server, read there at each fetch and stored nowhere',
    },
    act: async ({ id, name, file, serverFile }, { io, client }) => {
      if (file !== undefined && serverFile !== undefined) {
        throw new UsageError('pass --file or --server-file, not both');
      }
      const value =
        serverFile !== undefined ? '' : file === undefined ? await readInput(io) : ((await readSecrets([[name, file]]))[0]?.[1] ?? '');
      const { source } = await client.call(SourceService.method.setSecret, { id, name, value, fromFile: serverFile ?? '' });
      return { json: source, text: `The secret ${name} is set.` };
    },
  });
  group.call('remove', {
    description: 'remove a secret of a source',
    operands,
    method: SourceService.method.deleteSecret,
    text: (_, { name }) => `The secret ${name} is removed.`,
  });
}

/** Returns what stands on standard input, without the end of its line. */
async function readInput({ stdin }: CommandIo): Promise<string> {
  if (stdin.isTTY === true) {
    throw new UsageError('pass the secret on standard input, such as with < password.txt, or name a file with --file');
  }
  const pieces: Buffer[] = [];
  for await (const piece of stdin) {
    pieces.push(Buffer.from(piece as Buffer));
  }
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
