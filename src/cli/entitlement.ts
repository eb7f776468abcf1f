/** `countersign entitlement owner ...`: entitlements of apps, through the API. */
import type { Command } from 'commander';
import type { CommandIo } from './io.ts';
import { addOwnerCommands } from './owner.ts';

/** Adds the commands about entitlements. */
export function addEntitlementCommands(program: Command, io: CommandIo): void {
  addOwnerCommands(program.command('entitlement').description('entitlements of apps, and their owners'), io, 'entitlement');
}
