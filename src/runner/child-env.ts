/** The environment of a connector: what the configuration says, and three variables of ours. Nothing of it is logged. */
import { readEnvFile } from './check-files.ts';
import type { RunnerConfig } from './config.ts';

/** Variables of ours that a connector gets as well. */
const inherited = ['PATH', 'HOME', 'TMPDIR'];

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the environment anew, so that a changed file counts from the next start on; `env` of the configuration comes before its files. */
export async function readChildEnv(config: RunnerConfig, own: Variables): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const name of inherited) {
    const value = own[name];
    if (value !== undefined) {
      env[name] = value;
    }
  }
  for (const path of config.envFiles) {
    Object.assign(env, await readEnvFile(path));
  }
  return { ...env, ...config.env };
}

/** Replaces the values of variables that are named as secrets are. */
export function hideSecrets(text: string, env: Variables): string {
  let hidden = text;
  for (const [name, value = ''] of Object.entries(env)) {
    if (value.length >= 6 && /secret|token|password|passphrase|credential|key|dsn/i.test(name)) {
      hidden = hidden.replaceAll(value, '***');
    }
  }
  return hidden;
}
