/** The options every command shares that speaks to a running server, and the client made of them. */
import { type Command, Option } from 'commander';
import { type Client, createClient } from '../../client/index.ts';
import { type CommandIo, UsageError } from './io.ts';
import { currentServer, findStored } from '../sign-in/stored.ts';

/** Values of the shared options after parsing. */
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
    .addOption(
      new Option('--url <url>', 'URL of the server; COUNTERSIGN_URL (default: the server of the last login, else http://localhost:8080)'),
    )
    .addOption(new Option('--client-id <id>', 'client id of an API credential; COUNTERSIGN_CLIENT_ID (default: that of the last login)'))
    .addOption(
      new Option(
        '--client-secret <secret>',
        'its secret; better set COUNTERSIGN_CLIENT_SECRET, which other users of the machine cannot see',
      ),
    );
}

/** The client the options, the environment or the last login ask for; UsageError where something is missing or malformed. */
export function connect(io: CommandIo, options: ConnectOptions): Client {
  const url = serverUrl(io, options.url);
  const clientId = options.clientId ?? io.env['COUNTERSIGN_CLIENT_ID'] ?? '';
  const clientSecret = options.clientSecret ?? io.env['COUNTERSIGN_CLIENT_SECRET'] ?? '';
  const stored = clientId === '' && clientSecret === '' ? findStored(io.env, url) : undefined;
  if (stored === undefined && (clientId === '' || clientSecret === '')) {
    throw new UsageError(
      'an API credential is needed: run countersign login, set COUNTERSIGN_CLIENT_ID and COUNTERSIGN_CLIENT_SECRET, or pass --client-id and --client-secret',
    );
  }
  return createClient({ url, credential: stored ?? { clientId, clientSecret } });
}

/** The origin of the server that is meant: by the option, the environment, or the last login. UsageError for what is no address. */
export function serverUrl(io: CommandIo, given: string | undefined): string {
  const url = given ?? io.env['COUNTERSIGN_URL'] ?? (currentServer(io.env) || 'http://localhost:8080');
  if (!/^https?:\/\/[^/]+/.test(url) || !URL.canParse(url)) {
    throw new UsageError(`--url must be an http or https URL such as https://reviews.example.com, not "${url}"`);
  }
  return new URL(url).origin;
}
