/** The options every command shares that speaks to a running server, and the client made of them. */
import { type Command, Option } from 'commander';
import { type Client, createClient } from '../client/index.ts';
import { type CommandIo, UsageError } from './io.ts';

/** What the shared options hold after parsing. */
export interface ConnectOptions {
  readonly url?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly json?: boolean;
}

/** Adds --json to a command. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON, errors too');
}

/** Adds --url, --client-id, --client-secret (and their variables) and --json to a command. */
export function withConnection(command: Command): Command {
  return withJson(command)
    .addOption(new Option('--url <url>', 'URL of the server; COUNTERSIGN_URL (default: http://localhost:8080)'))
    .addOption(new Option('--client-id <id>', 'client id of an API credential; COUNTERSIGN_CLIENT_ID'))
    .addOption(
      new Option(
        '--client-secret <secret>',
        'its secret; better set COUNTERSIGN_CLIENT_SECRET, which other users of the machine cannot see',
      ),
    );
}

/** The client the options and the environment ask for; UsageError where something is missing or malformed. */
export function connect(io: CommandIo, options: ConnectOptions): Client {
  const url = options.url ?? io.env['COUNTERSIGN_URL'] ?? 'http://localhost:8080';
  const clientId = options.clientId ?? io.env['COUNTERSIGN_CLIENT_ID'] ?? '';
  const clientSecret = options.clientSecret ?? io.env['COUNTERSIGN_CLIENT_SECRET'] ?? '';
  if (!/^https?:\/\/[^/]+/.test(url) || !URL.canParse(url)) {
    throw new UsageError(`--url must be an http or https URL such as https://reviews.example.com, not "${url}"`);
  }
  if (clientId === '' || clientSecret === '') {
    throw new UsageError(
      'an API credential is needed: set COUNTERSIGN_CLIENT_ID and COUNTERSIGN_CLIENT_SECRET, or pass --client-id and --client-secret',
    );
  }
  return createClient({ url: new URL(url).origin, credential: { clientId, clientSecret } });
}
