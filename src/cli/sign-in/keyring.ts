/**
 * The keyring of the system, through the program that the system brings: `secret-tool` (Secret Service) or `security` (macOS). Secrets travel over
 * standard input and output, never as arguments, which other users of the machine can see.
 */
import { spawnSync } from 'node:child_process';

/** Environment of the command line. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Keeps secrets by the address of their server. */
export interface Keyring {
  readonly name: string;
  /** Says whether the secret is kept: it was read back. */
  store(server: string, secret: string): boolean;
  find(server: string): string | undefined;
  remove(server: string): void;
}

/** Somebody may have to unlock it first. */
const longestMs = 60_000;
const service = 'countersign';

function run(env: Environment, program: string, args: readonly string[], input = ''): string | undefined {
  const { status, stdout } = spawnSync(program, args, { env: env as NodeJS.ProcessEnv, input, timeout: longestMs, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}

function secretService(env: Environment): Keyring {
  const attributes = (server: string): string[] => ['service', service, 'server', server];
  const find = (server: string): string | undefined => run(env, 'secret-tool', ['lookup', ...attributes(server)])?.trimEnd() || undefined;
  return {
    name: 'the keyring',
    find,
    store(server, secret) {
      const stored = run(env, 'secret-tool', ['store', '--label', `Countersign at ${server}`, ...attributes(server)], secret);
      return stored !== undefined && find(server) === secret;
    },
    remove(server) {
      run(env, 'secret-tool', ['clear', ...attributes(server)]);
    },
  };
}

function keychain(env: Environment): Keyring {
  const account = (server: string): string[] => ['-s', service, '-a', server];
  const find = (server: string): string | undefined =>
    run(env, 'security', ['find-generic-password', ...account(server), '-w'])?.trimEnd() || undefined;
  return {
    name: 'the keychain',
    find,
    store(server, secret) {
      // Commands over standard input. Neither an origin nor a secret of ours holds a quote.
      const command = `add-generic-password -U -s "${service}" -a "${server}" -w "${secret}"\n`;
      return run(env, 'security', ['-i'], command) !== undefined && find(server) === secret;
    },
    remove(server) {
      run(env, 'security', ['delete-generic-password', ...account(server)]);
    },
  };
}

/** Returns the keyring of this system; undefined where there is none to talk to. */
export function openKeyring(env: Environment, platform: NodeJS.Platform = process.platform): Keyring | undefined {
  if (platform === 'darwin') {
    return keychain(env);
  }
  const hasBus = (env['DBUS_SESSION_BUS_ADDRESS'] ?? '') !== '';
  const { error } = hasBus
    ? spawnSync('secret-tool', [], { env: env as NodeJS.ProcessEnv, timeout: longestMs })
    : { error: new Error('no bus') };
  return error === undefined ? secretService(env) : undefined;
}
