/**
 * Assumptions clients of the public API would go wrong by silently: the Terraform provider compares each reply with what it sent, and takes the
 * first row of a search for the object that it was asked for.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { openStage, type Stage } from '../support/stage.ts';

describe('clients of the public API', () => {
  let stage: Stage;
  let certifySteps: object;
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    request(stage.server, stage.server.admin, method, path, body);
  const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await send(method, path, body);
    expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 200, undefined]);
    return answer.body;
  };
  const inApp = (path = ''): string => `/api/v1/apps/${stage.appId}${path}`;
  const eventsOf = async (targetId: string): Promise<Loose[]> =>
    stage.server.test.admin('SELECT kind, data FROM events WHERE target_id = $1 ORDER BY seq', [targetId]) as Promise<Loose[]>;
  const makeEntitlement = async (fields: object): Promise<Loose> =>
    (await ok('POST', inApp('/entitlements'), fields)).appEntitlementView.appEntitlement;
  const makePolicy = async (fields: object): Promise<string> =>
    (await ok('POST', '/api/v1/policies', { policyType: 'POLICY_TYPE_CERTIFY', policySteps: certifySteps, ...fields })).policy.id;

  beforeAll(async () => {
    stage = await openStage();
    certifySteps = { certify: { steps: [{ approval: { users: { userIds: [stage.people[0]?.id] } } }] } };
  });
  afterAll(() => stage.stop());

  describe('read the version of a scope as a whole number', () => {
    const review = async (fields: object): Promise<Loose> => (await ok('POST', '/api/v1/access_review', fields)).accessReview.accessReview;

    it('in a draft, which has none', async () => {
      const { id, scopingVersion } = await review({ displayName: 'Fresh' });
      expect(scopingVersion).toBe('0');
      expect((await ok('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview.scopingVersion).toBe('0');
      const { list } = await ok('GET', '/api/v1/access_reviews?page_size=100');
      expect(list.find((view: Loose) => view.accessReview.id === id).accessReview.scopingVersion).toBe('0');
    });

    it('and write it as text, as a number, and empty', async () => {
      const { id } = await review({ displayName: 'Written' });
      const write = async (scopingVersion: unknown): Promise<Answer> =>
        send('POST', `/api/v1/access_review/${id}`, { accessReview: { scopingVersion } });
      for (const [sent, read] of [
        ['7', '7'],
        ['', '0'],
        [8, '8'],
        [null, '8'],
        ['9007199254740993', '9007199254740993'],
        [0, '0'],
      ]) {
        expect([sent, (await write(sent)).body.accessReview?.accessReview?.scopingVersion]).toEqual([sent, read]);
      }
      expect(violatedFields(await write('two'))).toEqual(['accessReview.scopingVersion']);
    });
  });

  describe('find by the whole name what they were asked for', () => {
    it.each(['Payroll', 'payroll'])('an app, in any case: %s', async (displayName) => {
      for (const name of ['My Payroll', 'Payroll', 'Payroll (old)', 'Päyroll']) {
        await send('POST', '/api/v1/apps', { displayName: name });
      }
      const { list } = await ok('POST', '/api/v1/search/apps', { displayName });
      expect(list.map((app: Loose) => app.displayName)).toEqual(['Payroll']);
      const byWord = (await ok('POST', '/api/v1/search/apps', { query: 'payroll' })).list;
      expect(byWord.length).toBe(4);
    });

    it('an entitlement, as it is written', async () => {
      const names = ['Ledger read', 'Ledger', 'ledger', `Ledger ${'x'.repeat(900)}`];
      for (const displayName of names) {
        await makeEntitlement({ displayName });
      }
      const found = async (filter: object): Promise<string[]> =>
        (await ok('POST', '/api/v1/search/entitlements', { appIds: [stage.appId], ...filter })).list.map(
          (view: Loose) => view.appEntitlement.displayName,
        );
      for (const displayName of names) {
        expect(await found({ displayName })).toEqual([displayName]);
      }
      expect(await found({ displayName: 'Led' })).toEqual([]);
      expect(await found({ displayName: 'Ledger', query: 'ledg' })).toEqual(['Ledger']);
      expect((await found({ query: 'LEDGER' })).length).toBe(4);
    });

    it('a policy, in any case', async () => {
      for (const displayName of ['Ask Ann first', 'Ask Ann', 'Ask Änn']) {
        await makePolicy({ displayName });
      }
      const found = async (filter: object): Promise<string[]> =>
        (await ok('POST', '/api/v1/search/policies', filter)).list.map((policy: Loose) => policy.displayName);
      expect(await found({ displayName: 'ASK ANN' })).toEqual(['Ask Ann']);
      expect(await found({ displayName: 'ask änn' })).toEqual(['Ask Änn']);
      expect(await found({ displayName: 'Ask' })).toEqual([]);
      expect((await found({ query: 'ask ann' })).length).toBe(3);
    });

    it('a resource type, as it is written', async () => {
      for (const displayName of ['Vault', 'Vault key']) {
        await ok('POST', inApp('/resource_types'), { displayName, resourceType: 'CUSTOM' });
      }
      const found = async (displayName: string): Promise<string[]> =>
        (await ok('POST', '/api/v1/search/app_resource_types', { displayName })).list.map((type: Loose) => type.displayName);
      expect(await found('Vault')).toEqual(['Vault']);
      expect(await found('vault')).toEqual([]);
      expect(await found('Vau')).toEqual([]);
    });
  });

  describe('read what they deleted, with the time', () => {
    it('an entitlement', async () => {
      const { id } = await makeEntitlement({ displayName: 'Passing', alias: 'passing' });
      await ok('DELETE', inApp(`/entitlements/${id}`), {});
      const { appEntitlementView: view } = await ok('GET', inApp(`/entitlements/${id}`));
      expect(view.appEntitlement).toMatchObject({ id, displayName: 'Passing', deletedAt: expect.stringMatching(/Z$/) });
      expect(view.objectPermissions).toMatchObject({ edit: false, delete: false });
      for (const [method, path] of [
        ['DELETE', ''],
        ['POST', ''],
        ['GET', '/ownerids'],
      ] as const) {
        expect((await send(method, inApp(`/entitlements/${id}${path}`), method === 'GET' ? undefined : {})).status).toBe(404);
      }
      expect((await request(stage.other, stage.other.admin, 'GET', inApp(`/entitlements/${id}`))).status).toBe(404);
    });

    it('a connector, which is in no list any more', async () => {
      const made = await ok('POST', inApp('/connectors'), { displayName: 'Passing' });
      const { id } = made.connectorView.connector;
      expect(made.connectorView.connector).not.toHaveProperty('deletedAt');
      await ok('DELETE', inApp(`/connectors/${id}`), {});
      const { connector } = (await ok('GET', inApp(`/connectors/${id}`))).connectorView;
      expect(connector).toMatchObject({ id, displayName: 'Passing', canResumeSync: false, deletedAt: expect.stringMatching(/Z$/) });
      expect((await ok('GET', inApp('/connectors'))).list).toEqual([]);
      expect((await send('DELETE', inApp(`/connectors/${id}`), {})).status).toBe(404);
      expect((await send('GET', inApp('/connectors/none'))).status).toBe(404);
      expect((await request(stage.other, stage.other.admin, 'GET', inApp(`/connectors/${id}`))).status).toBe(404);
    });

    it('what was deleted with its app', async () => {
      const { app } = await ok('POST', '/api/v1/apps', { displayName: 'Passing' });
      const at = `/api/v1/apps/${app.id}`;
      const made = (await ok('POST', `${at}/entitlements`, { displayName: 'Inside' })).appEntitlementView.appEntitlement;
      const source = (await ok('POST', `${at}/connectors/create`, {})).connectorView.connector;
      await ok('DELETE', at, {});
      expect((await ok('GET', `${at}/entitlements/${made.id}`)).appEntitlementView.appEntitlement).toHaveProperty('deletedAt');
      expect((await ok('GET', `${at}/connectors/${source.id}`)).connectorView.connector).toHaveProperty('deletedAt');
      expect((await send('GET', at)).status).toBe(404);
    });
  });

  describe('read lists in the order in which they sent them', () => {
    const ids = (): string[] => stage.people.map(({ id }) => id);
    const orders = (): string[][] => {
      const [a = '', b = '', c = ''] = ids();
      return [[c, a, b], [b, c], [c, b], [a], [b, c, a], []];
    };

    it.each([
      ['an app', () => inApp('/owners'), () => inApp('/ownerids')],
      [
        'an entitlement',
        () => inApp(`/entitlements/${stage.entitlementId}/owners`),
        () => inApp(`/entitlements/${stage.entitlementId}/ownerids`),
      ],
      [
        'a resource',
        () => inApp(`/resource_types/${stage.resourceTypeId}/resource/${stage.resourceId}/owners`),
        () => inApp(`/resource_types/${stage.resourceTypeId}/resource/${stage.resourceId}/ownerids`),
      ],
    ])('the owners of %s', async (_what, owners, ownerIds) => {
      for (const userIds of orders()) {
        await ok('PUT', owners(), { userIds });
        expect((await ok('GET', ownerIds())).userIds).toEqual(userIds);
        expect((await ok('GET', owners())).list.map((user: Loose) => user.id)).toEqual(userIds);
      }
    });

    it('the owners whom an app, an entitlement and a resource are made with', async () => {
      const owners = ids().reverse();
      const { app } = await ok('POST', '/api/v1/apps', { displayName: 'Ordered', owners });
      expect(app.appOwners.map((user: Loose) => user.id)).toEqual(owners);
      const { id } = await makeEntitlement({ displayName: 'Ordered', appEntitlementOwnerIds: owners });
      expect((await ok('GET', inApp(`/entitlements/${id}/ownerids`))).userIds).toEqual(owners);
    });

    it('one more owner comes last, and one who goes leaves the others where they are', async () => {
      const [a = '', b = '', c = ''] = ids();
      await ok('PUT', inApp('/owners'), { userIds: [c, b] });
      await ok('POST', inApp(`/owners/${a}`), {});
      await ok('POST', inApp(`/owners/${b}`), {});
      expect((await ok('GET', inApp('/ownerids'))).userIds).toEqual([c, b, a]);
      await ok('DELETE', inApp(`/owners/${b}`), {});
      expect((await ok('GET', inApp('/ownerids'))).userIds).toEqual([c, a]);
    });

    it('a new order alone is a change with its event; the same again is none', async () => {
      const [a = '', b = ''] = ids();
      const { app } = await ok('POST', '/api/v1/apps', { displayName: 'Reordered', owners: [a, b] });
      for (const userIds of [
        [a, b],
        [b, a],
        [b, a],
      ]) {
        await ok('PUT', `/api/v1/apps/${app.id}/owners`, { userIds });
      }
      const changes = (await eventsOf(app.id)).filter(({ kind }) => kind === 'app.owners_changed');
      expect(changes.map(({ data }) => data)).toEqual([{ added: [], removed: [], order: [b, a] }]);
    });

    it('owners are paged in their order', async () => {
      const many: string[] = [];
      for (let number = 0; number < 12; number++) {
        many.unshift((await stage.server.makePerson(`owner${number}@stage.example`)).id);
      }
      await ok('PUT', inApp('/owners'), { userIds: many });
      const first = await ok('GET', inApp('/owners?page_size=10'));
      const second = await ok('GET', inApp(`/owners?page_size=10&page_token=${encodeURIComponent(first.nextPageToken)}`));
      expect([...first.list, ...second.list].map((user: Loose) => user.id)).toEqual(many);
      expect(second.nextPageToken).toBe('');
    });

    it('the entitlements of an access profile', async () => {
      const refs: Loose[] = [];
      for (const displayName of ['P1', 'P2', 'P3']) {
        refs.push({ appId: stage.appId, id: (await makeEntitlement({ displayName })).id });
      }
      const [one, two, three] = refs;
      const made = await ok('POST', '/api/v1/catalogs', { displayName: 'Ordered', published: true });
      const at = `/api/v1/catalogs/${made.requestCatalogView.requestCatalog.id}`;
      const read = async (): Promise<Loose> => (await ok('GET', `${at}/requestable_entitlementIDs`)).refs;
      await ok('POST', `${at}/requestable_entries`, { appEntitlements: [three, one] });
      expect(await read()).toEqual([three, one]);
      await ok('POST', `${at}/requestable_entries`, { appEntitlements: [two, three] });
      expect(await read()).toEqual([three, one, two]);
      for (const appEntitlements of [
        [one, two, three],
        [two, one],
        [three, two, one],
      ]) {
        await ok('POST', `${at}/requestable_entitlements/update`, { appEntitlements });
        expect(await read()).toEqual(appEntitlements);
        const { list } = await ok('GET', `${at}/requestable_entitlements`);
        expect(list.map((view: Loose) => view.appEntitlement.id)).toEqual(appEntitlements.map((ref: Loose) => ref.id));
      }
    });
  });

  it('make a resource type whose name is there and get it again', async () => {
    const make = async (displayName: string): Promise<Loose> =>
      (await ok('POST', inApp('/resource_types'), { displayName, resourceType: 'ROLE' })).appResourceType;
    const first = await make('Payroll role');
    expect(await make('Payroll role')).toEqual(first);
    expect((await make(' PAYROLL role ')).id).toBe(first.id);
    expect((await eventsOf(first.id)).map(({ kind }) => kind)).toEqual(['resource_type.created']);
    await ok('DELETE', inApp(`/resource_types/${first.id}`), {});
    expect((await make('Payroll role')).id).not.toBe(first.id);
  });

  it('give two entitlements one alias, and find both', async () => {
    const one = await makeEntitlement({ displayName: 'Shared 1', alias: 'shared' });
    const two = await makeEntitlement({ displayName: 'Shared 2', alias: 'shared' });
    const { list } = await ok('POST', '/api/v1/search/entitlements', { alias: 'shared' });
    expect(list.map((view: Loose) => view.appEntitlement.id)).toEqual([one.id, two.id]);
  });

  it('make a connector without people, which is theirs', async () => {
    const userIdsOf = async (fields: object): Promise<string[]> =>
      (await ok('POST', inApp('/connectors/create'), fields)).connectorView.connector.userIds;
    expect(await userIdsOf({})).toEqual([stage.server.admin.id]);
    expect(await userIdsOf({ userIds: [] })).toEqual([stage.server.admin.id]);
    const other = stage.people[1]?.id;
    expect(await userIdsOf({ userIds: [other] })).toEqual([other]);
  });

  describe('delete a policy', () => {
    it('that apps and entitlements choose: none of them names it any more, and nothing else of them changes', async () => {
      const [gone, kept] = [await makePolicy({ displayName: 'Going' }), await makePolicy({ displayName: 'Staying' })];
      const { app } = await ok('POST', '/api/v1/apps', { displayName: 'Chooser', certifyPolicyId: gone, grantPolicyId: kept });
      const one = await makeEntitlement({
        displayName: 'Chooser 1',
        certifyPolicyId: gone,
        grantPolicyId: gone,
        revokePolicyId: kept,
        emergencyGrantPolicyId: gone,
        annotations: { a: 'b' },
      });
      const two = await makeEntitlement({ displayName: 'Chooser 2', certifyPolicyId: kept, revokePolicyId: gone });
      await ok('DELETE', `/api/v1/policies/${gone}`, {});
      const read = async (id: string): Promise<Loose> => (await ok('GET', inApp(`/entitlements/${id}`))).appEntitlementView.appEntitlement;
      const emptied = { certifyPolicyId: '', grantPolicyId: '', emergencyGrantPolicyId: '' };
      const after = await read(one.id);
      expect(after).toEqual({ ...one, ...emptied, updatedAt: after.updatedAt });
      expect(await read(two.id)).toMatchObject({ certifyPolicyId: kept, revokePolicyId: '' });
      expect((await ok('GET', `/api/v1/apps/${app.id}`)).app).toMatchObject({ certifyPolicyId: '', grantPolicyId: kept });
      const { list } = await ok('POST', '/api/v1/search/entitlements', { policyRefs: [{ id: gone }] });
      expect(list).toEqual([]);
      expect((await eventsOf(gone)).at(-1)).toEqual({
        kind: 'policy.deleted',
        data: {
          displayName: 'Going',
          apps: { count: 1, ids: [app.id] },
          entitlements: { count: 2, ids: [one.id, two.id].sort() },
        },
      });
    });

    it('that a draft chooses: refused, with the review, which goes first', async () => {
      const policyId = await makePolicy({ displayName: 'Of a draft' });
      const { id } = (await ok('POST', '/api/v1/access_review', { displayName: 'Holds it', policyId })).accessReview.accessReview;
      const refused = await send('DELETE', `/api/v1/policies/${policyId}`, {});
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(id)]);
      await ok('DELETE', `/api/v1/access_review/${id}`, {});
      await ok('DELETE', `/api/v1/policies/${policyId}`, {});
    });
  });

  describe('make a policy without a step', () => {
    const make = (fields: object): Promise<Answer> =>
      send('POST', '/api/v1/policies', { displayName: 'Empty', policyType: 'POLICY_TYPE_CERTIFY', ...fields });

    it.each([{}, { policySteps: {} }, { policySteps: { certify: {} } }, { policySteps: { certify: { steps: [] } } }])(
      'for reviews: refused, with the member to write: %j',
      async (fields) => {
        const answer = await make(fields);
        expect([answer.status, violatedFields(answer), answer.body.message]).toEqual([
          400,
          ['policySteps'],
          expect.stringContaining('must have a step'),
        ]);
      },
    );

    it('for what has no effect here, or on top of another policy: kept as sent', async () => {
      for (const policyType of ['GRANT', 'REVOKE', 'ACCESS_REQUEST', 'PROVISION']) {
        expect([policyType, (await make({ policyType: `POLICY_TYPE_${policyType}` })).status]).toEqual([policyType, 200]);
      }
      expect((await make({ baselinePolicyId: stage.policyId })).status).toBe(200);
    });

    it('by an update: refused where it had one, and one from before can be renamed', async () => {
      const id = await makePolicy({ displayName: 'Full' });
      const empty = { policy: { policySteps: {} }, updateMask: 'policySteps' };
      expect(violatedFields(await send('POST', `/api/v1/policies/${id}`, empty))).toEqual(['policy.policySteps']);
      await stage.server.test.admin(`UPDATE policies SET document = document || '{"policySteps": {}}' WHERE id = $1`, [id]);
      await ok('POST', `/api/v1/policies/${id}`, { policy: { displayName: 'Renamed' } });
    });
  });
});
