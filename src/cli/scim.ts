/** `countersign scim token|revoke`: letting an identity provider in, and shutting it out, through the API. See docs/scim.md. */
import type { Command } from 'commander';
import type { Client } from '../client/index.ts';
import { AppService } from '../gen/c1/api/app/v1/app_service_pb.js';
import { ScimService } from '../gen/countersign/v1/scim_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findApp } from './find.ts';
import { CommandFailure, type CommandIo, writeJson, writeLines } from './io.ts';

/** Adds `scim token` and `scim revoke`. */
export function addScimCommands(program: Command, io: CommandIo): void {
  const group = program.command('scim').description('identity providers that push people and groups');
  const ofApp = (name: string, description: string): Command =>
    withConnection(group.command(name).description(description)).requiredOption(
      '--app <app>',
      'the app they are pushed to: its name or id',
    );

  const token = ofApp('token', 'make a token for an identity provider and print it, once; the previous token ends').option(
    '--create',
    'make the app if it does not exist',
  );
  token.action(async (options: ConnectOptions & { app: string; create?: boolean }) => {
    const client = connect(io, options);
    const { id: appId } = await (options.create === true ? findOrMakeApp(client, options.app) : findApp(client, options.app));
    const made = await client.call(ScimService.method.createToken, { appId });
    if (options.json === true) {
      writeJson(io.stdout, made);
      return;
    }
    writeLines(
      io.stdout,
      `source    ${made.source?.id ?? ''}`,
      `base URL  ${made.baseUrl ?? ''}`,
      `token     ${made.token ?? ''}`,
      'The token is shown only once.',
    );
  });

  ofApp('revoke', 'end the token of an app; pushed people and groups stay').action(async (options: ConnectOptions & { app: string }) => {
    const client = connect(io, options);
    const { id: appId, displayName = '' } = await findApp(client, options.app);
    await client.call(ScimService.method.revokeToken, { appId });
    if (options.json === true) {
      writeJson(io.stdout, { appId, revoked: true });
      return;
    }
    writeLines(io.stdout, `Nobody can push to ${displayName} any more.`);
  });
}

async function findOrMakeApp(client: Client, name: string): Promise<{ readonly id: string }> {
  try {
    return await findApp(client, name);
  } catch (error) {
    if (!(error instanceof CommandFailure)) {
      throw error;
    }
    const { app } = await client.call(AppService.method.create, { displayName: name });
    return { id: app?.id ?? '' };
  }
}
