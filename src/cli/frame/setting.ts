/** Commands that show one of the tenant's settings, or set it where a word follows. */
import type { ByValue } from '../../client/by-value.ts';
import { type TenantSettingsJson, TenantSettingsService } from '../../gen/countersign/v1/tenant_settings_pb.js';
import type { Commands } from './commands.ts';
import { nameIn } from './given.ts';
import { UsageError } from './io.ts';

interface SettingTable<M extends keyof TenantSettingsJson> {
  readonly description: string;
  /** The operand and what it is. */
  readonly operands: Readonly<Record<`[${string}]`, string>>;
  /** The word for each value; any text is sent as it is where this is absent. */
  readonly words?: ByValue<Extract<TenantSettingsJson[M], string>, string>;
  readonly text: (settings: TenantSettingsJson) => string;
}

/** Adds a command for a member of the tenant's settings. */
export function addSetting<M extends keyof TenantSettingsJson & string>(
  group: Commands,
  name: string,
  member: M,
  table: SettingTable<M>,
): void {
  const { operands, words, text } = table;
  const operand = nameIn(Object.keys(operands)[0] ?? '');
  group.run(name, {
    ...table,
    act: async (given, session) => {
      const word = (given as Readonly<Record<string, unknown>>)[operand] as string | undefined;
      const wanted = word === undefined || words === undefined ? word : Object.entries(words).find(([, one]) => one === word)?.[0];
      if (word !== undefined && wanted === undefined) {
        throw new UsageError(`pass one of ${Object.values(words ?? {}).join(', ')}`);
      }
      const { settings = {} } =
        wanted === undefined
          ? await session.client.call(TenantSettingsService.method.get, {})
          : await session.client.call(TenantSettingsService.method.update, { settings: { [member]: wanted }, updateMask: member });
      return { json: settings, text: text(settings) };
    },
  });
}
