// The types of what tests use of install.js.
interface Lock {
  packages?: Record<string, { version?: string; integrity?: string; optional?: boolean; devOptional?: boolean; peer?: boolean }>;
}
export function missingPackages(wanted: Lock, installed: Lock): string[];
