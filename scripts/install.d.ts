// The types of what tests use of install.js.
interface Entry {
  version?: string;
  integrity?: string;
  optional?: boolean;
  devOptional?: boolean;
  peer?: boolean;
  link?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}
interface Lock {
  packages?: Record<string, Entry>;
}
export function missingPackages(wanted: Lock, installed: Lock): string[];
export function missingToRun(wanted: Lock, installed: Lock): string[];
