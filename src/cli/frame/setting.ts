/** Commands that show one of the tenant's settings, or set it where a word follows. */
import { type TenantSettingsJson, TenantSettingsService } from '../../gen/countersign/v1/tenant_settings_pb.js';
import type { Commands } from './commands.ts';
import { nameIn } from './given.ts';
import { UsageError } from './io.ts';

interface SettingTable {
  readonly description: string;
  /** The operand and what it is. */
  readonly operands: Readonly<Record<`[${string}]`, string>>;
  /** The words that it takes with what is sent for each; any text is sent as it is where this is absent. */
  readonly words?: Readonly<Record<string, string>>;
  readonly text: (settings: TenantSettingsJson) => string;
}

/** Adds a command for a member of the tenant's settings. */
export function addSetting(group: Commands, name: string, member: keyof TenantSettingsJson & string, table: SettingTable): void {
  const { operands, words, text } = table;
  const operand = nameIn(Object.keys(operands)[0] ?? '');
  group.run(name, {
    ...table,
    act: async (given, session) => {
      const word = (given as Readonly<Record<string, unknown>>)[operand] as string | undefined;
      const wanted = word === undefined || words === undefined ? word : Object.hasOwn(words, word) ? words[word] : undefined;
      if (word !== undefined && wanted === undefined) {
        throw new UsageError(`pass one of ${Object.keys(words ?? {}).join(', ')}`);
      }
      const { settings = {} } =
        wanted === undefined
          ? await session.client.call(TenantSettingsService.method.get, {})
          : await session.client.call(TenantSettingsService.method.update, { settings: { [member]: wanted }, updateMask: member });
      return { json: settings, text: text(settings) };
    },
  });
}
