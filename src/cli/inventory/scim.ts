/** `countersign scim token|revoke`: letting an identity provider in, and shutting it out, through the API. See docs/scim.md. */
import type { Client } from '../../client/index.ts';
import { AppService } from '../../gen/c1/api/app/v1/app_service_pb.js';
import { ScimService } from '../../gen/countersign/v1/scim_pb.js';
import { type Commands, formatFacts } from '../frame/commands.ts';
import { findApp } from '../frame/find.ts';
import { CommandFailure } from '../frame/io.ts';

const ofApp = { '--app <app>': { text: 'the app they are pushed to: its name or id', needed: true } } as const;

/** Adds `scim token` and `scim revoke`. */
export function addScimCommands(group: Commands): void {
  group.call('token', {
    description: 'make a token for an identity provider and print it, once; the previous token ends',
    options: { ...ofApp, '--create': 'make the app if it does not exist' },
    method: ScimService.method.createToken,
    request: async ({ app, create }, { client }) => ({
      appId: (await (create === true ? findOrMakeApp(client, app) : findApp(client, app))).id,
    }),
    text: ({ source, baseUrl = '', token = '' }) => [
      ...formatFacts({ source: source?.id ?? '', 'base URL': baseUrl, token }),
      'The token is shown only once.',
    ],
  });

  group.run('revoke', {
    description: 'end the token of an app; pushed people and groups stay',
    options: ofApp,
    act: async ({ app }, { client }) => {
      const { id: appId, displayName = '' } = await findApp(client, app);
      await client.call(ScimService.method.revokeToken, { appId });
      return { json: { appId, revoked: true }, text: `Nobody can push to ${displayName} any more.` };
    },
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
