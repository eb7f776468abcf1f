/** The browser that tests use: the shell without windows takes a third less of the processor than the whole one. */
import { existsSync } from 'node:fs';

/** Path of the program; undefined where there is none. */
export const executablePath = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));
