/** Arguments and variables that a file may not say: which file a connector writes, as whom it speaks, and whether it changes something. */

/** Options of connectors that end, or begin, like these are said by the runner, or make them do something once. */
const exact = ['file', 'provisioning', 'revoke-grant'];
const beginnings = ['client-', 'grant-', 'create-account-', 'delete-resource', 'rotate-credentials'];

const isRefusedOption = (name: string): boolean => exact.includes(name) || beginnings.some((one) => name.startsWith(one));

/** True for `--file`, `--client-id`, `--provisioning` and the like, in each spelling, and for `-f` and `-p`, also among other letters. */
export function isRefusedArgument(text: string): boolean {
  const [, name] = /^--([^=]+)/s.exec(text) ?? [];
  return name === undefined ? /^-[A-Za-z]*[fp]/.test(text) : isRefusedOption(name.toLowerCase());
}

/** The same of variables: connectors read each option from `BATON_` and its name as well. */
export function isRefusedVariable(name: string): boolean {
  const [, rest] = /^BATON_(.+)$/i.exec(name) ?? [];
  return rest !== undefined && (isRefusedOption(rest.toLowerCase().replaceAll('_', '-')) || /^c1[_-]api[_-]host$/i.test(rest));
}
