/** Reading requests: spellings, presence, every violation with its path, and that nothing throws anything else. */
import { describe, expect, it } from 'vitest';
import { AccessReviewServiceUpdateRequestSchema as Update } from '../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { SearchUsersRequestSchema } from '../gen/c1/api/user/v1/user_service_pb.js';
import { ConnectorServiceUpdateRequestSchema } from '../gen/c1/api/app/v1/connector_service_pb.js';
import { CreateAppRequestSchema, AppServiceListRequestSchema } from '../gen/c1/api/app/v1/app_service_pb.js';
import { TaskSearchRequestSchema } from '../gen/c1/api/task/v1/task_service_pb.js';
import { CreatePolicyRequestSchema } from '../gen/c1/api/policy/v1/policy_service_pb.js';
import { ImportServiceImportPeopleRequestSchema } from '../gen/countersign/v1/imports_pb.js';
import type { AppError } from '../errors.ts';
import { readQuery } from './read-query.ts';
import { readRequest } from './read.ts';

function refusal(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('nothing was refused');
}

const fieldsOf = (error: AppError): string[] => (error.violations ?? []).map(({ field }) => field);
const review = (accessReview: unknown): Record<string, unknown> =>
  readRequest(Update, { accessReview }).sent['accessReview'] as Record<string, unknown>;
const refusedReview = (accessReview: unknown): AppError => refusal(() => readRequest(Update, { accessReview }));

describe('presence', () => {
  it('tells false, "", 0 and [] from what was not sent', () => {
    expect(review({ autoResolve: false, description: '', expectedTicketCount: 0, inclusionScope: { userIds: [] } })).toEqual({
      autoResolve: false,
      description: '',
      expectedTicketCount: 0,
      inclusionScope: { userIds: [] },
    });
    expect(review({})).toEqual({});
  });

  it('takes null for unset, everywhere but inside free-form JSON', () => {
    expect(review({ displayName: null, scope: null, inclusionScope: { userIds: null, multiUserProfileAttributes: { a: null } } })).toEqual({
      inclusionScope: { multiUserProfileAttributes: {} },
    });
    const sent = readRequest(TaskSearchRequestSchema, { taskTypes: [{ action: { formValues: { a: null, b: [null] } } }] }).sent;
    expect(sent['taskTypes']).toEqual([{ action: { formValues: { a: null, b: [null] } } }]);
    expect(readRequest(Update, null).sent).toEqual({});
  });

  it('ignores unknown members', () => {
    expect(
      readRequest(Update, JSON.parse('{"nope": 1, "__proto__": {"a": 1}, "constructor": 2, "accessReview": {"nope": []}}')).sent,
    ).toEqual({ accessReview: {} });
  });

  it('notes unknown members with their paths, but for the type of a message and what is inside free-form JSON', () => {
    const { unknown } = readRequest(Update, {
      nope: 1,
      accessReview: { '@type': 'x', scopeV2: { useCriteria: {} }, scope: { appUserStatuses: [] }, display_name: 'a', nope: [] },
    });
    expect(unknown.map(({ path, desc }) => [path, desc.name])).toEqual([
      ['nope', 'AccessReviewServiceUpdateRequest'],
      ['accessReview.scopeV2.useCriteria', 'AccessReviewScopeV2'],
      ['accessReview.nope', 'AccessReview'],
    ]);
    expect(readRequest(TaskSearchRequestSchema, { taskTypes: [{ action: { formValues: { a: 1 } } }] }).unknown).toEqual([]);
  });
});

describe('names', () => {
  it('understands lowerCamel and snake_case', () => {
    expect(review({ display_name: 'a', scope_v2: { user_criteria: { manager_user_ids: ['x'] } } })).toEqual({
      displayName: 'a',
      scopeV2: { userCriteria: { managerUserIds: ['x'] } },
    });
  });

  it('refuses a field that is given in both', () => {
    expect(fieldsOf(refusedReview({ display_name: 'a', displayName: 'b' }))).toEqual(['accessReview.displayName']);
  });

  it('lets path parameters win over the body', () => {
    const { message, sent } = readRequest(Update, { id: { not: 'a string' }, accessReview: { id: 'other' } }, { id: 'from the path' });
    expect(message.id).toBe('from the path');
    expect(sent).toEqual({ id: 'from the path', accessReview: { id: 'other' } });
  });
});

describe('violations', () => {
  it('are all reported at once, each with its path', () => {
    const error = refusedReview({
      displayName: 7,
      completionDate: 'yesterday',
      expectedTicketCount: 1.5,
      scope: { appUserStatuses: ['ENABLED', 'SLEEPING'] },
      inclusionScope: { userIds: ['a', 3, null] },
      notificationConfig: [],
      singleApp: {},
      multiApp: {},
    });
    expect(error.code).toBe('INVALID_ARGUMENT');
    expect(fieldsOf(error)).toEqual([
      'accessReview.displayName',
      'accessReview.completionDate',
      'accessReview.expectedTicketCount',
      'accessReview.scope.appUserStatuses[1]',
      'accessReview.inclusionScope.userIds[1]',
      'accessReview.inclusionScope.userIds[2]',
      'accessReview.notificationConfig',
      'accessReview.setup_metadata',
    ]);
    expect(error.message).toContain('singleApp and multiApp');
  });

  it('are at most a hundred', () => {
    const error = refusedReview({ inclusionScope: { userIds: Array.from({ length: 40_000 }, () => 1) } });
    expect(error.violations?.length).toBe(100);
  });

  it('are lists of more than 50,000 items, and of more than 1000 that a page is filtered by', () => {
    const ids = (count: number): string[] => Array.from({ length: count }, () => 'a');
    expect(review({ inclusionScope: { userIds: ids(50_000) } })).toMatchObject({ inclusionScope: { userIds: expect.any(Array) } });
    expect(fieldsOf(refusedReview({ inclusionScope: { userIds: ids(50_001) } }))).toEqual(['accessReview.inclusionScope.userIds']);
    const search = (count: number) => readRequest(SearchUsersRequestSchema, { ids: ids(count) });
    expect(search(1000).message.ids).toHaveLength(1000);
    expect(fieldsOf(refusal(() => search(1001)))).toEqual(['ids']);
  });

  it('say that a body is not an object', () => {
    for (const body of [[], 'text', 7, true]) {
      expect(refusal(() => readRequest(Update, body)).message).toBe('The body must be a JSON object.');
    }
  });
});

describe('values', () => {
  it('of enums: names, declared numbers, and short names where the contract allows', () => {
    expect(review({ scope: { appUserStatuses: ['APP_USER_STATUS_ENABLED', 'DISABLED', 'STATUS_DELETED', 1] } })).toEqual({
      scope: {
        appUserStatuses: ['APP_USER_STATUS_ENABLED', 'APP_USER_STATUS_DISABLED', 'APP_USER_STATUS_DELETED', 'APP_USER_STATUS_ENABLED'],
      },
    });
    expect(review({ scopeV2: { userCriteria: { userStatus: ['USER_ENABLED', 'DISABLED'] } } })).toEqual({
      scopeV2: { userCriteria: { userStatus: ['ENABLED', 'DISABLED'] } },
    });
    expect(review({ inclusionScope: { userStatuses: ['ENABLED'] } })).toEqual({ inclusionScope: { userStatuses: ['USER_ENABLED'] } });
  });

  it.each([['enabled'], [''], ['_'], ['ACCOUNT'], [99], [-1], [1.5], [true], [{}]])('of enums: %j is refused', (value) => {
    expect(fieldsOf(refusedReview({ scope: { appUserTypes: [value] } }))).toEqual(['accessReview.scope.appUserTypes[0]']);
  });

  it('of enums: short names only where the contract allows', () => {
    expect(fieldsOf(refusedReview({ autoCloseDecision: 'SKIP' }))).toEqual(['accessReview.autoCloseDecision']);
  });

  it.each([
    [5, 5],
    ['5', 5],
    [-2147483648, -2147483648],
    [2147483647, 2147483647],
    [-0, 0],
    ['007', 7],
  ])('of int32: %j is %j', (value, read) => {
    expect(review({ expectedTicketCount: value })).toEqual({ expectedTicketCount: read });
  });

  it.each([[2147483648], [-2147483649], ['1e3'], ['0x10'], [''], [' 5'], [1.1], [Number.MAX_VALUE], [[]], [true]])(
    'of int32: %j is refused',
    (value) => {
      expect(fieldsOf(refusedReview({ expectedTicketCount: value }))).toEqual(['accessReview.expectedTicketCount']);
    },
  );

  it('of text: neither NUL nor half characters nor more than 64 Ki characters', () => {
    for (const text of ['a\0b', '\ud800', 'x\udc00', 'x'.repeat(64 * 1024 + 1)]) {
      expect(fieldsOf(refusedReview({ displayName: text }))).toEqual(['accessReview.displayName']);
      expect(fieldsOf(refusedReview({ inclusionScope: { multiUserProfileAttributes: { [text]: {} } } }))).toEqual([
        'accessReview.inclusionScope.multiUserProfileAttributes',
      ]);
    }
    expect(review({ displayName: '\u{1F600}'.repeat(100) })).toEqual({ displayName: '\u{1F600}'.repeat(100) });
  });

  it('of free-form JSON: nothing that cannot be stored', () => {
    const read = (formValues: unknown) => readRequest(TaskSearchRequestSchema, { taskTypes: [{ action: { formValues } }] });
    expect(fieldsOf(refusal(() => read({ a: { b: 'x\0' } })))).toEqual(['taskTypes[0].action.formValues.a.b']);
    expect(refusal(() => read(JSON.parse('{"__proto__": {}}'))).message).toContain('__proto__');
    expect(fieldsOf(refusal(() => read([])))).toEqual(['taskTypes[0].action.formValues']);
    let deep: unknown = 'x';
    for (let level = 0; level < 70; level++) {
      deep = { a: deep };
    }
    expect(refusal(() => read(deep)).message).toContain('nested deeper than 64');
  });

  it('of messages that hold themselves: at most 64 levels', () => {
    let items: unknown = {};
    for (let level = 0; level < 70; level++) {
      items = { repeated: { items } };
    }
    const body = { policySteps: { certify: { steps: [{ form: { form: { fields: [{ stringSliceField: { rules: { items } } }] } } }] } } };
    expect(refusal(() => readRequest(CreatePolicyRequestSchema, body)).message).toContain('nested deeper than 64');
  });

  it('of masks: either spelling, spaces and duplicates forgiven', () => {
    expect(readRequest(Update, { updateMask: ' display_name, displayName,scope_v2.user_criteria,' }).sent).toEqual({
      updateMask: 'displayName,scopeV2.userCriteria',
    });
    expect(readRequest(Update, { update_mask: '*' }).sent).toEqual({ updateMask: '*' });
    for (const mask of ['a b', '.a', 'a..b', 'a.', 'a[0]', '__proto__']) {
      expect(fieldsOf(refusal(() => readRequest(Update, { updateMask: mask })))).toEqual(['updateMask']);
    }
  });

  it('of page sizes: any whole number', () => {
    expect(readRequest(SearchUsersRequestSchema, { pageSize: 99_999_999_999 }).sent).toEqual({ pageSize: 1_000_000 });
    expect(readRequest(SearchUsersRequestSchema, { page_size: '-99999999999999' }).sent).toEqual({ pageSize: -1 });
    expect(fieldsOf(refusal(() => readRequest(SearchUsersRequestSchema, { pageSize: 'many' })))).toEqual(['pageSize']);
  });
});

describe('query strings', () => {
  it('understand both spellings and ignore what they do not know', () => {
    expect(readQuery(AppServiceListRequestSchema, 'page_size=10&pageToken=a%2Bb&nope=1')).toMatchObject({
      json: { pageSize: '10', pageToken: 'a+b' },
      unknown: [{ path: 'nope' }],
    });
    expect(
      readRequest(
        ImportServiceImportPeopleRequestSchema,
        readQuery(ImportServiceImportPeopleRequestSchema, 'allow_removals=true&source=a+b').json,
      ).sent,
    ).toEqual({
      allowRemovals: true,
      source: 'a b',
    });
  });

  it('refuse what is given twice, and a flag that is neither true nor false', () => {
    expect(fieldsOf(refusal(() => readQuery(AppServiceListRequestSchema, 'page_size=10&pageSize=20')))).toEqual(['pageSize']);
    const { json } = readQuery(ImportServiceImportPeopleRequestSchema, 'allow_removals=perhaps');
    expect(fieldsOf(refusal(() => readRequest(ImportServiceImportPeopleRequestSchema, json)))).toEqual(['allowRemovals']);
  });

  it('gather lists', () => {
    expect(readQuery(CreateAppRequestSchema, 'owners=a&owners=b').json).toEqual({ owners: ['a', 'b'] });
  });
});

describe('messages of types that are not ours', () => {
  const at = (config: unknown) => readRequest(ConnectorServiceUpdateRequestSchema, { connector: { config, description: 'd' } });
  const type = 'type.googleapis.com/google.protobuf.Struct';

  it('are kept as they are sent, nulls and unknown members too, and leave the rest of the request as it is', () => {
    const config = { '@type': type, value: { list: [1, null, { deep: 'x' }], none: null } };
    const { sent, message } = at(config);
    expect(sent).toEqual({ connector: { config, description: 'd' } });
    expect(message.connector).toMatchObject({ description: 'd' });
    expect(message.connector?.config).toBeUndefined();
  });

  it('are absent where they are null or empty', () => {
    expect(at(null).sent).toEqual({ connector: { description: 'd' } });
    expect(at({}).sent).toEqual({ connector: { description: 'd' } });
  });

  it('are refused without a type, with what cannot be stored, and too deep', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 70; level++) {
      deep = [deep];
    }
    const bad = [{ a: 1 }, { '@type': 'x' }, { '@type': `${type}/x` }, [], 'text', 5, { '@type': type, a: 'x\0' }, { '@type': type, deep }];
    for (const config of bad) {
      const [field = ''] = fieldsOf(refusal(() => at(config)));
      expect([config, field.startsWith('connector.config')]).toEqual([config, true]);
    }
    const polluting = JSON.parse(`{"@type": "${type}", "__proto__": {"a": 1}}`);
    expect(fieldsOf(refusal(() => at(polluting)))).toEqual(['connector.config']);
  });
});

describe('names', () => {
  const appNamed = (displayName: string) => readRequest(CreateAppRequestSchema, { displayName });
  it.each(['Pay\r\nroll', 'Pay\u202Ellor', 'Pay\u0007', 'Pay\u2028'])('%j is refused with its field', (name) => {
    expect(fieldsOf(refusal(() => appNamed(name)))).toEqual(['displayName']);
  });
  it('may be in any language, and other texts may have lines', () => {
    expect(appNamed('Zoë שלום').sent['displayName']).toBe('Zoë שלום');
    expect(readRequest(CreateAppRequestSchema, { displayName: 'A', description: 'one\ntwo' }).sent['description']).toBe('one\ntwo');
  });
});
