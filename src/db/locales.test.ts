/** Databases of several locales: names are the same in each, accounts get the same owners, and lists have one order. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../test/support/postgres-server.ts';
import { startTestServer, type TestServer } from '../../test/support/server.ts';
import { AppUserService } from '../gen/c1/api/app/v1/app_user_service_pb.js';
import { AppEntitlementService as AppEntitlements } from '../gen/c1/api/app/v1/app_entitlement_service_pb.js';
import { AppService } from '../gen/c1/api/app/v1/app_service_pb.js';
import { UserService } from '../gen/c1/api/user/v1/user_service_pb.js';
import { ImportService } from '../gen/countersign/v1/imports_pb.js';
import { foldCase, getAddressKey } from '../lib/names/same-name.ts';

/** Turkish makes a dotless letter of a capital I, Lithuanian adds dots, C knows ASCII alone. */
const embedded: readonly [string, string][] = [
  ['C.UTF-8', "ENCODING 'UTF8' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'"],
  ['C', "ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'"],
  ['tr-TR', "ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'"],
  ['lt', "ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'lt' LOCALE 'C'"],
];
const debian: readonly [string, string][] = [
  ['C.UTF-8 of PostgreSQL 15', "ENCODING 'UTF8' LOCALE 'C.UTF-8'"],
  ['C of PostgreSQL 15', "ENCODING 'UTF8' LOCALE 'C'"],
  ['tr-TR of PostgreSQL 15', "ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'"],
];

const people = `email,display_name,username,employee_id,manager
ilker@example.com,ILKER IŞIK,ILKER,E1,
OZIL@EXAMPLE.COM,Mesut ÖZIL,ÖZIL,E2,ilker ışık
inci@example.com,İNCI Ünal,İNCI,E3,MESUT özil
strasse@example.com,Ida Straße,ISTRAßE,E4,ida STRASSE
ann@example.com,ann lee,ANN,E5,ILKER IŞIK
bob@example.com,Ann Lee,BOB,E6,Ann LEE (E5)
sami@example.com,Ŋila ĐIŊ,ŊILÁ,E7,MESUT ÖZIL
ayse@example.com,ƏLI Ayşe,ƏLI,E8,ŊILA ĐIŊ
ivan@example.com,ИВАН I,ИВАНI,E9,ƏLI AYŞE
`;
const grants = `account,resource,entitlement
ilker,DATA,READ
özil,DATA,WRITE
i\u0307nci,data,read
istraße,DATA,Lesen Ü
ANN,DATA,lesen ü
ŋilá,İş,READ
əli,IŞ,READ
иванi,iş,READ
Iñaki,DATA,READ
IÑAKI,DATA,READ
`;

interface Found {
  readonly keys: unknown;
  readonly lists: unknown;
}

let turned: string[];
const found = new Map<string, Found>();

/** Imports the same into a database, and says what became of it. */
async function tell(url: string, admin: (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>): Promise<Found> {
  const server = await startTestServer({ test: { url } as TestDatabase });
  try {
    const rows = await admin(
      'SELECT n AS name, address_key(n) AS key, look_alike_key(n) AS look, fold_case(n) AS lower FROM unnest($1::text[]) AS x (n)',
      [turned],
    );
    return { keys: rows.map(({ name, key, look, lower }) => [name, key, look, lower]), lists: await list(server) };
  } finally {
    await server.stop();
  }
}

async function list({ admin: { client } }: TestServer): Promise<unknown> {
  const upload = (csv: string) => ({ content: new Blob([csv]).stream(), gzip: false });
  await client.upload(ImportService.method.importPeople, {}, upload(people));
  const done = await client.upload(ImportService.method.importGrants, { app: 'INFO Işık' }, upload(grants));
  const names = new Map<string, string>();
  const users: unknown[] = [];
  for await (const { user } of client.pages(UserService.method.list, { pageSize: 3 })) {
    names.set(user?.id ?? '', user?.email ?? '');
  }
  for await (const { user } of client.pages(UserService.method.search, { pageSize: 3 })) {
    users.push([user?.email, user?.displayName, names.get(user?.managerIds?.[0] ?? '')]);
  }
  const apps: unknown[] = [];
  for (const displayName of ['INFO Işık', 'info işık', 'info ışık', 'ınfo ışık']) {
    const { list: hits = [] } = await client.call(AppService.method.search, { displayName });
    apps.push([displayName, hits.map((hit) => hit.displayName)]);
  }
  const { list: [app] = [] } = await client.call(AppService.method.search, { displayName: 'INFO Işık' });
  const accounts: unknown[] = [];
  for await (const { appUser } of client.pages(AppUserService.method.search, { appId: app?.id ?? '', pageSize: 3 })) {
    accounts.push([appUser?.displayName, names.get(appUser?.identityUserId ?? '')]);
  }
  const entitlements: unknown[] = [];
  for await (const { appEntitlement } of client.pages(AppEntitlements.method.list, { appId: app?.id ?? '', pageSize: 3 })) {
    entitlements.push(appEntitlement?.displayName);
  }
  const searches: unknown[] = [];
  for (const query of ['ISIK', 'ışık', 'özil', 'ozil', 'strasse', 'ŊILA', 'ivan', 'ИВАН']) {
    const { list: hits = [] } = await client.call(UserService.method.search, { query });
    searches.push([query, hits.map(({ user }) => user?.email)]);
  }
  // Lists are in the order of ids, which an import gives out as it comes.
  return { added: Number(done.import?.added), users, apps, accounts: accounts.sort(), entitlements: entitlements.sort(), searches };
}

beforeAll(() => {
  // Every letter that has another case, alone, before and behind a capital I; not of scripts that are younger than some servers.
  const letters = Array.from({ length: 0x1c7f }, (_, code) => code + 1)
    .map((code) => String.fromCodePoint(code))
    .filter((char) => char.toLowerCase() !== char);
  turned = letters.flatMap((char) => [char, `${char}I`, `I${char}`]);
});

describe('names in databases of several locales', { timeout: 240_000 }, () => {
  // Of the embedded server: another one that the suite runs on may know neither ICU nor the builtin provider.
  it.runIf(inject('testServer').isEmbedded).each(embedded)('%s', async (name, locale) => {
    const test = await openTestDatabase({ empty: true, locale });
    try {
      found.set(name, await tell(test.url, (sql, values) => test.admin(sql, values)));
    } finally {
      await test.close();
    }
    expectTheSame(name);
  });

  describe.runIf(hasPostgres)('and of another server', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres([], ['host all all 127.0.0.1/32 trust']);
    });
    afterAll(() => server.close());

    it.each(debian)('%s', async (name, locale) => {
      const database = `d${found.size}`;
      await server.admin('postgres', `CREATE DATABASE ${database} TEMPLATE template0 ${locale}`);
      found.set(name, await tell(server.url('postgres', '', database), (sql, values) => server.rows(database, sql, values)));
      expectTheSame(name);
    });
  });

  function expectTheSame(name: string): void {
    const [first] = [...found.values()] as [Found];
    const own = found.get(name) as Found;
    expect(own.lists).toEqual(first.lists);
    expect(own.keys).toEqual(first.keys);
    expect((own.keys as string[][]).filter(([one = '', key]) => key !== getAddressKey(one))).toEqual([]);
    expect((own.keys as string[][]).filter(([one = '', , , lower]) => lower !== foldCase(one))).toEqual([]);
  }
});

it.runIf(inject('testServer').isEmbedded || hasPostgres)('are what was meant', () => {
  const [first] = [...found.values()];
  expect(first?.lists).toMatchInlineSnapshot(`
    {
      "accounts": [
        [
          "ANN",
          "ann@example.com",
        ],
        [
          "IÑAKI",
          undefined,
        ],
        [
          "Iñaki",
          undefined,
        ],
        [
          "ilker",
          "ilker@example.com",
        ],
        [
          "istraße",
          "strasse@example.com",
        ],
        [
          "i̇nci",
          "inci@example.com",
        ],
        [
          "özil",
          "OZIL@EXAMPLE.COM",
        ],
        [
          "ŋilá",
          "sami@example.com",
        ],
        [
          "əli",
          "ayse@example.com",
        ],
        [
          "иванi",
          "ivan@example.com",
        ],
      ],
      "added": 10,
      "apps": [
        [
          "INFO Işık",
          [
            "INFO Işık",
          ],
        ],
        [
          "info işık",
          [
            "INFO Işık",
          ],
        ],
        [
          "info ışık",
          [],
        ],
        [
          "ınfo ışık",
          [],
        ],
      ],
      "entitlements": [
        "App access",
        "DATA Lesen Ü",
        "DATA READ",
        "DATA WRITE",
        "DATA lesen ü",
        "IŞ READ",
        "data read",
        "iş READ",
        "İş READ",
      ],
      "searches": [
        [
          "ISIK",
          [
            "ilker@example.com",
          ],
        ],
        [
          "ışık",
          [
            "ilker@example.com",
          ],
        ],
        [
          "özil",
          [
            "OZIL@EXAMPLE.COM",
          ],
        ],
        [
          "ozil",
          [
            "OZIL@EXAMPLE.COM",
          ],
        ],
        [
          "strasse",
          [
            "strasse@example.com",
          ],
        ],
        [
          "ŊILA",
          [
            "sami@example.com",
          ],
        ],
        [
          "ivan",
          [
            "ivan@example.com",
          ],
        ],
        [
          "ИВАН",
          [
            "ivan@example.com",
          ],
        ],
      ],
      "users": [
        [
          "admin@127.0.0.1",
          "Administrator",
          undefined,
        ],
        [
          "ilker@example.com",
          "ILKER IŞIK",
          undefined,
        ],
        [
          "OZIL@EXAMPLE.COM",
          "Mesut ÖZIL",
          undefined,
        ],
        [
          "inci@example.com",
          "İNCI Ünal",
          "OZIL@EXAMPLE.COM",
        ],
        [
          "strasse@example.com",
          "Ida Straße",
          undefined,
        ],
        [
          "ann@example.com",
          "ann lee",
          "ilker@example.com",
        ],
        [
          "bob@example.com",
          "Ann Lee",
          "ann@example.com",
        ],
        [
          "sami@example.com",
          "Ŋila ĐIŊ",
          "OZIL@EXAMPLE.COM",
        ],
        [
          "ayse@example.com",
          "ƏLI Ayşe",
          "sami@example.com",
        ],
        [
          "ivan@example.com",
          "ИВАН I",
          "ayse@example.com",
        ],
      ],
    }
  `);
});
